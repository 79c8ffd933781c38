import { join } from 'node:path';
import * as vscode from 'vscode';
import { surroundingsHere } from '../../agent/files/surroundings.ts';
import { refreshLauncher } from '../../bridge/connect/launcher.ts';
import { openFolders } from '../editor/open-folders.ts';
import { stateFolder } from '../../transcripts/session/state-folder.ts';

/** Path of the command-line program of this version. */
export function programOf(extension: vscode.Uri): string {
  return vscode.Uri.joinPath(extension, 'dist', 'cli.js').fsPath;
}

/** Updates the script that connected agents run, so that it starts the program of this version. */
export function refreshConnections(extension: vscode.Uri): Promise<void> {
  return refreshLauncher(stateFolder(surroundingsHere()), programOf(extension), openFolders());
}

/** Path of the receipt for settings that watching changes. @param storage folder of our stored data */
export function watchReceipt(storage: string): string {
  return join(storage, 'watched', 'claude-code.json');
}
