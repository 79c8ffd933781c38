import * as vscode from 'vscode';

/** Paths of the open folders, trusted or not. */
export function openFolders(): readonly string[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri.fsPath);
}
