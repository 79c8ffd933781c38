import * as vscode from 'vscode';
import { viewIds } from './editor/ids.ts';

/** The walkthrough of `package.json`, by the id of the extension. */
const walkthrough = 'context-budget.context-budget#getStarted';
/** Key of the state that says that the chat was shown once. */
const welcomedKey = 'contextBudget.welcomed';

/**
 * Shows the chat and the walkthrough in the first window after the extension was installed, and never again. A VS Code
 * that is set to open no walkthrough of a new extension shows neither.
 */
export async function welcomeOnce(kept: vscode.Memento): Promise<void> {
  if (kept.get(welcomedKey) === true) return;
  await kept.update(welcomedKey, true);
  const isWanted = vscode.workspace
    .getConfiguration('workbench')
    .get<boolean>('welcomePage.walkthroughs.openOnInstall', true);
  if (!isWanted) return;
  await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', walkthrough, false);
}
