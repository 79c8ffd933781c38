import * as vscode from 'vscode';
import { section } from './configuration.ts';
import { readSettings, type Settings } from './read-settings.ts';

/** What is set in this window now. */
export function currentSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration(section);
  return readSettings((name) => configuration.get(name), ownServers(configuration.inspect('mcpServers')));
}

/** The levels of a setting at which a folder speaks. */
interface FolderLevels {
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
  readonly workspaceLanguageValue?: unknown;
  readonly workspaceFolderLanguageValue?: unknown;
}

/**
 * Tells the servers that only the person's own settings name. The editor merges what a folder says of a server into
 * what the person says, so that one that both name is the folder's.
 */
export function ownServers(levels: FolderLevels | undefined): (name: string) => boolean {
  const ofFolder = [
    levels?.workspaceValue,
    levels?.workspaceFolderValue,
    levels?.workspaceLanguageValue,
    levels?.workspaceFolderLanguageValue,
  ].filter((value) => value !== undefined && value !== null);
  return (name) => ofFolder.every((value) => typeof value === 'object' && !Object.hasOwn(value, name));
}
