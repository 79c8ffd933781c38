import * as vscode from 'vscode';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import type { OptionSpec } from '../../compaction/strategies/contract/options.ts';
import { type StrategyId, strategyOf } from '../../compaction/strategies/index.ts';
import { ownOptions, section, strategySetting } from '../../presenters/settings/general-settings.ts';
import { inputFor, optionText, parseOption } from '../../presenters/settings/option-editor.ts';
import { optionsOf } from '../../presenters/settings/read-settings.ts';
import { settingReader, writeSetting } from './editor-settings.ts';
import { pickStrategy } from './strategy-picker.ts';
import { optionTexts, strategyTitleOf } from './strategy-texts.ts';

/** Lets the user choose a strategy and edit its options. */
export async function configureStrategy(current: string): Promise<void> {
  const texts = { title: hostText('configureStrategy'), placeholder: hostText('strategyToConfigure') };
  const picked = await pickStrategy(texts, current, { accepts: hasOptions });
  if (picked === undefined) return;
  while (await editOption(picked as StrategyId, strategyTitleOf(picked)));
}

function hasOptions(id: string): boolean {
  return Object.keys(ownOptions(strategyOf(id as StrategyId).options)).length > 0;
}

/** @returns false if the user has finished */
async function editOption(id: StrategyId, title: string): Promise<boolean> {
  const options = ownOptions(strategyOf(id).options);
  const values = optionsOf(strategyOf(id), settingReader());
  const texts = optionTexts(`${section}.${strategySetting(id)}`);
  const reset = { label: hostText('resetToDefaults'), action: 'reset' } as const;
  const open = { label: hostText('openInSettings'), action: 'open' } as const;
  const rows = Object.keys(options).map((option) => ({
    label: option,
    description: optionText(values[option]),
    detail: texts[option] ?? options[option]?.description ?? '',
    action: 'edit' as const,
  }));
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator, action: 'none' } as const;
  const picked = await vscode.window.showQuickPick([...rows, separator, reset, open], {
    title,
    placeHolder: hostText('optionToChange'),
    matchOnDetail: true,
  });
  switch (picked?.action) {
    case 'edit': {
      const spec = options[picked.label];
      return spec !== undefined && (await askFor(id, picked.label, spec, values[picked.label]));
    }
    case 'reset':
      await writeSetting(strategySetting(id), undefined);
      return true;
    case 'open':
      await openSetting(id);
      return false;
    default:
      return false;
  }
}

/** @returns false if the option is edited in another place */
async function askFor(id: StrategyId, option: string, spec: OptionSpec, value: unknown): Promise<boolean> {
  const input = inputFor(spec);
  switch (input.kind) {
    case 'file':
      await openSetting(id);
      return false;
    case 'pick': {
      const items = input.choices.map((choice) => ({ label: optionText(choice), choice }));
      const picked = await vscode.window.showQuickPick(items, { title: option });
      if (picked !== undefined) await writeOption(id, option, picked.choice);
      return true;
    }
    case 'text': {
      const typed = await vscode.window.showInputBox({
        title: option,
        value: optionText(value),
        ignoreFocusOut: true,
        prompt: optionTexts(`${section}.${strategySetting(id)}`)[option] ?? spec.description,
        validateInput: (text) => {
          const { problem } = parseOption(spec, option, text);
          return problem === undefined ? undefined : editorWording.text(problem);
        },
      });
      if (typed === undefined) return true;
      const parsed = parseOption(spec, option, typed);
      if (parsed.problem === undefined) await writeOption(id, option, parsed.value);
      return true;
    }
  }
}

/** Sets one option and keeps the other options of the same scope. */
async function writeOption(id: StrategyId, option: string, value: unknown): Promise<void> {
  const name = strategySetting(id);
  const levels = vscode.workspace.getConfiguration(section).inspect<Record<string, unknown>>(name);
  const hasWorkspace = (vscode.workspace.workspaceFolders ?? []).length > 0;
  const own = hasWorkspace ? levels?.workspaceValue : levels?.globalValue;
  await writeSetting(name, { ...own, [option]: value });
}

async function openSetting(id: StrategyId): Promise<void> {
  await vscode.commands.executeCommand(
    'workbench.action.openSettings',
    `@id:${section}.${strategySetting(id)}`,
  );
}
