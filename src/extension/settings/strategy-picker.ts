import * as vscode from 'vscode';
import { strategyChoice } from '../../language/english/strategy-choice-english.ts';
import { strategyGroups } from '../../presenters/settings/strategy-groups.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import { strategyTitleOf } from './strategy-texts.ts';

/** A row of the picker: a strategy, or another choice that the caller offers. */
interface StrategyItem extends vscode.QuickPickItem {
  readonly id: string;
}

/**
 * Lets the user choose a strategy. Strategies are in groups, and the current one is marked and preselected.
 *
 * @param current id of the strategy in use
 * @param accepts true for strategies to offer; by default all
 * @param others further choices, shown first
 * @returns the id of the choice; undefined if the user cancels
 */
export async function pickStrategy(
  texts: { readonly title: string; readonly placeholder: string },
  current: string,
  { accepts = () => true, others = [] }: PickerOptions = {},
): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<StrategyItem>();
  pick.title = texts.title;
  pick.placeholder = texts.placeholder;
  pick.matchOnDetail = true;
  const strategies = strategyItems(current, accepts);
  pick.items = [...others, ...strategies];
  // The Enter key takes a strategy, even if the current one is not offered.
  const preselected =
    strategies.find(({ id }) => id === current) ?? strategies.find(({ kind }) => kind === undefined);
  pick.activeItems = preselected === undefined ? [] : [preselected];
  try {
    return await new Promise((resolve) => {
      pick.onDidAccept(() => {
        resolve(pick.activeItems[0]?.id);
        pick.hide();
      });
      pick.onDidHide(() => resolve(undefined));
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

interface PickerOptions {
  readonly accepts?: (id: string) => boolean;
  readonly others?: readonly StrategyItem[];
}

function strategyItems(current: string, accepts: (id: string) => boolean): readonly StrategyItem[] {
  return strategyGroups.flatMap(({ group, ids }) => {
    const rows = ids.filter(accepts).map((id) => ({
      id,
      label: strategyTitleOf(id),
      ...(id === current ? { description: hostText('current') } : {}),
      detail: editorWording.text(strategyChoice.say(id)),
    }));
    const label = editorWording.text(strategyChoice.say(group));
    return rows.length === 0 ? [] : [{ id: group, label, kind: vscode.QuickPickItemKind.Separator }, ...rows];
  });
}
