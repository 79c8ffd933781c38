import * as vscode from 'vscode';
import { commandSentences } from '../../language/english/commands-english.ts';
import { editorWording, hostText, liveText } from '../editor/editor-wording.ts';
import { commandIds } from '../editor/ids.ts';

interface MenuItem extends vscode.QuickPickItem {
  /** The command that the item runs, and its arguments. */
  readonly command: readonly [id: string, ...values: readonly unknown[]];
}

/** Shows the menu of the status item and runs the chosen command. */
export async function showStatusMenu(usage: string | undefined): Promise<void> {
  const chosen = await vscode.window.showQuickPick(menuItems(), {
    title: usage === undefined ? 'Context Budget' : hostText('contextWindow', { usage }),
    placeHolder: hostText('menuHint'),
  });
  if (chosen !== undefined) await vscode.commands.executeCommand(...chosen.command);
}

function menuItems(): readonly MenuItem[] {
  return [
    { label: `$(graph) ${hostText('menuInspector')}`, command: [commandIds.openInspector] },
    { label: `$(fold) ${hostText('menuCompact')}`, command: [commandIds.compactNow] },
    { label: `$(search) ${hostText('menuCompactWithFocus')}`, command: [commandIds.compactWithFocus] },
    { label: `$(layers) ${hostText('menuStrategy')}`, command: [commandIds.selectStrategy] },
    { label: `$(bell) ${liveText('lastNotices')}`, command: [commandIds.showNotices] },
    {
      label: `$(gear) ${hostText('openSettings')}`,
      command: ['workbench.action.openSettings', '@ext:context-budget.context-budget'],
    },
  ];
}

/** Asks for the focus of a summary. @returns undefined if the user cancels */
export async function askForFocus(): Promise<string | undefined> {
  const focus = await vscode.window.showInputBox({
    title: editorWording.text(commandSentences.say('focusTitle')),
    prompt: editorWording.text(commandSentences.say('focusPlaceholder')),
    ignoreFocusOut: true,
  });
  return focus?.trim();
}
