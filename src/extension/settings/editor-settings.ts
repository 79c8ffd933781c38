import * as vscode from 'vscode';
import type { Sentence } from '../../language/sentence.ts';
import { section } from '../../presenters/settings/general-settings.ts';
import { isOldSetting, isPersonalSetting } from '../../presenters/settings/old-settings.ts';
import { readSettings, type Settings } from '../../presenters/settings/read-settings.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import { showWarning } from '../editor/plain-notices.ts';

/**
 * Settings of this window, read again only after something changed that they depend on: the editor takes a millisecond
 * to answer for all of them, and they are asked for with every message.
 */
export class WindowSettings implements vscode.Disposable {
  private known: Settings | undefined;
  private readonly subscriptions: readonly vscode.Disposable[];

  constructor() {
    const forget = () => (this.known = undefined);
    this.subscriptions = [
      vscode.workspace.onDidChangeConfiguration(forget),
      vscode.workspace.onDidChangeWorkspaceFolders(forget),
      vscode.workspace.onDidGrantWorkspaceTrust(forget),
    ];
  }

  get current(): Settings {
    return (this.known ??= currentSettings());
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}

/** Settings of this window now. */
export function currentSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration(section);
  return readSettings(settingReader(), ownServers(configuration.inspect('mcpServers')));
}

/**
 * Reads settings by their names, those of earlier versions included. The editor does not know that an untrusted
 * folder cannot set those, nor that no folder may set some of them, so what such a folder says does not count.
 */
export function settingReader(): (name: string) => unknown {
  const configuration = vscode.workspace.getConfiguration(section);
  const { isTrusted } = vscode.workspace;
  return (name) =>
    isPersonalSetting(name) || (!isTrusted && isOldSetting(name))
      ? configuration.inspect(name)?.globalValue
      : configuration.get(name);
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

/**
 * Sets a setting in the workspace if one is open, and for the person everywhere if none is.
 *
 * @param name without the section's prefix
 */
export async function writeSetting(name: string, value: unknown): Promise<void> {
  const { Workspace, Global } = vscode.ConfigurationTarget;
  const hasWorkspace = (vscode.workspace.workspaceFolders ?? []).length > 0;
  await vscode.workspace.getConfiguration(section).update(name, value, hasWorkspace ? Workspace : Global);
}

/** Tells a person what is wrong with settings: once for each problem, and not again until it was mended. */
export class SettingsReporter {
  private readonly log: vscode.LogOutputChannel;
  private told: ReadonlySet<string> = new Set();

  constructor(log: vscode.LogOutputChannel) {
    this.log = log;
  }

  report(problems: readonly Sentence[]): void {
    const fresh = problems.filter(({ english }) => !this.told.has(english));
    this.told = new Set(problems.map(({ english }) => english));
    if (fresh.length === 0) return;
    for (const { english } of fresh) this.log.warn(english);
    const message = fresh.map((problem) => editorWording.text(problem)).join(' ');
    void showWarning(message, hostText('openSettings')).then((choice) => {
      if (choice !== undefined) {
        void vscode.commands.executeCommand('workbench.action.openSettings', section);
      }
    });
  }
}
