import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { refreshLauncher } from '../../bridge/connect/launcher.ts';
import { openFolders } from '../editor/open-folders.ts';
import { stateFolder, type Surroundings } from '../../bridge/state-folder.ts';

/** Environment in which other agents run the command line program. */
export function surroundings(): Surroundings {
  return { home: homedir(), platform: process.platform, environment: process.env };
}

/** Path of the command line program of this version. */
export function programOf(extension: vscode.Uri): string {
  return vscode.Uri.joinPath(extension, 'dist', 'cli.js').fsPath;
}

/** Lets the script that connected agents call start this version of the program. */
export function refreshConnections(extension: vscode.Uri): Promise<void> {
  return refreshLauncher(stateFolder(surroundings()), programOf(extension), openFolders());
}
