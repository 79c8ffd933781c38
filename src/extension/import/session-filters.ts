import * as vscode from 'vscode';

/** What a file with a session in it may be called, for dialogs that ask for one. */
export function sessionFilters(): Record<string, string[]> {
  return {
    [vscode.l10n.t('Sessions')]: ['jsonl', 'json', 'traj', 'md', 'log'],
    [vscode.l10n.t('All Files')]: ['*'],
  };
}
