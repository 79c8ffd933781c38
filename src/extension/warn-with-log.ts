import * as vscode from 'vscode';

/** Warns of something that the log tells more of. */
export async function warnWithLog(message: string, log: vscode.LogOutputChannel): Promise<void> {
  const choice = await vscode.window.showWarningMessage(message, vscode.l10n.t('Show Log'));
  if (choice !== undefined) log.show();
}
