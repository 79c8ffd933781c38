import * as vscode from 'vscode';

/** Paths of the folders that are open, trusted or not. */
export function openFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}
