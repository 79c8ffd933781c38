import { phraseText } from '../../compaction/records/reason.ts';
import * as vscode from 'vscode';
import { factsOfModel } from '../../compaction/budget/model-table.ts';
import { commandSentences } from '../../language/english/commands-english.ts';
import { type StrategyId, strategyOf } from '../../compaction/strategies/index.ts';
import type { RecordDialogs } from '../../presenters/inspector/compactions-host.ts';
import type { PreviewEditor } from '../../presenters/inspector/preview-host.ts';
import type { TabsEditor } from '../../presenters/inspector/tabs-host.ts';
import type { WhatIfHostPorts } from '../../presenters/inspector/what-if-host.ts';
import type { SessionEngine } from '../../presenters/engine/session-engine.ts';
import { optionsOf, type Settings } from '../../presenters/settings/read-settings.ts';
import { documentScheme } from '../editor/ids.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import { settingReader, writeSetting } from '../settings/editor-settings.ts';
import { pickStrategy } from '../settings/strategy-picker.ts';
import { showInformation, showWarning } from '../editor/plain-notices.ts';
import { saveAs } from '../editor/links.ts';

/** VS Code's dialogs for choosing a strategy and for saving a file. */
export const recordDialogs: Omit<RecordDialogs, 'copyMissing' | 'handOff'> = {
  pickStrategy: (current, undoneWith) =>
    pickAnother(
      current,
      hostText('compactWithAnother'),
      undoneWith === 0 ? hostText('rerunUndoes') : hostText('rerunUndoesWithLater', { count: undoneWith }),
    ),

  async save(name, format, text) {
    const [extension, label] = format === 'html' ? ['html', 'HTML'] : ['md', 'Markdown'];
    const uri = await saveAs(`${name}.${extension}`, () => text, { filters: { [label]: [extension] } });
    if (uri === undefined) return;
    if (format === 'html' && opensFiles()) await vscode.env.openExternal(uri);
    else await vscode.window.showTextDocument(uri);
  },

  tell(phrase, severity) {
    const text = phraseText(phrase, editorWording);
    if (severity === 'information') void showInformation(text);
    else void showWarning(text);
  },
};

/** VS Code's dialogs for changing a preview. */
export const previewEditor = (settings: () => Settings): Omit<PreviewEditor, 'changed'> => ({
  wording: editorWording,
  current: () => settings().strategy.id,

  chooseStrategy: (current) =>
    pickAnother(
      current,
      editorWording.text(commandSentences.say('previewWithAnother')),
      hostText('howToCompact'),
    ),

  async askFocus(current) {
    return vscode.window.showInputBox({
      title: editorWording.text(commandSentences.say('focusTitle')),
      placeHolder: editorWording.text(commandSentences.say('focusPlaceholder')),
      value: current,
      ignoreFocusOut: true,
    });
  },
});

/** Asks the user for another strategy; undefined if the user cancels. */
function pickAnother(current: string, title: string, placeholder: string): Promise<string | undefined> {
  return pickStrategy({ title, placeholder }, current, { accepts: (id) => id !== current && id !== 'none' });
}

/** True if files written here can be opened on the user's computer. */
function opensFiles(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
}

/** Functions of VS Code that the inspector's tabs use. */
export const tabsEditor = (settings: () => Settings): Omit<TabsEditor, 'showInChat' | 'switchTool'> => ({
  wording: editorWording,
  settings: () => {
    const { mode, strategy, protectFirst, models } = settings();
    return { mode, strategy: strategy.id, protectFirst, factsOf: (model) => factsOfModel(model, models) };
  },
  setTrigger: (ratio) => writeSetting('triggerRatio', ratio),
  openSetting: async (id) => {
    await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${id}`);
  },
  openMessage: async (sessionId, messageId) => {
    const uri = vscode.Uri.from({ scheme: documentScheme, path: `/${sessionId}/${messageId}` });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  },
});

/** Functions of VS Code for comparing strategies. @param engineOf returns the engine of a session by its id */
export const whatIfEditor = (
  engineOf: (id: string) => SessionEngine,
  settings: () => Settings,
): Omit<WhatIfHostPorts, 'customStrategy'> => ({
  settings: () => {
    const { strategy, protectFirst, focus } = settings();
    // Problems with options were reported when the options were set.
    const options = (id: StrategyId) => optionsOf(strategyOf(id), settingReader());
    return { current: strategy.id, protectFirst, focus, optionsOf: options };
  },
  tryAll: (trial, inspector, customStrategy, tellProgress, signal) =>
    engineOf(inspector.id).tryStrategies(inspector, trial, customStrategy, tellProgress, signal),
  useStrategy: (strategy) => writeSetting('strategy', strategy),
  wording: editorWording,
  tell: (sentence) => void showInformation(editorWording.text(sentence)),
  now: () => Date.now(),
});
