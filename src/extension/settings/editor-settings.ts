import * as vscode from 'vscode';
import type { Sentence } from '../../language/sentence.ts';
import { section } from '../../presenters/settings/general-settings.ts';
import { isOldSetting, isPersonalSetting } from '../../presenters/settings/old-settings.ts';
import { readSettings, type Settings } from '../../presenters/settings/read-settings.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import { showWarning } from '../editor/plain-notices.ts';

/** The settings of this window. Cached until they change, because VS Code takes a millisecond to read them. */
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

/** Reads the current settings of this window. */
export function currentSettings(): Settings {
  const configuration = vscode.workspace.getConfiguration(section);
  return readSettings(settingReader(), ownServers(configuration.inspect('mcpServers')));
}

/** Returns a function that reads settings by name. Settings that no folder may set are read from the user only. */
export function settingReader(): (name: string) => unknown {
  const configuration = vscode.workspace.getConfiguration(section);
  const { isTrusted } = vscode.workspace;
  return (name) =>
    isPersonalSetting(name) || (!isTrusted && isOldSetting(name))
      ? configuration.inspect(name)?.globalValue
      : configuration.get(name);
}

/** The scopes in which a folder can set a setting. */
const folderLevels = [
  'workspaceValue',
  'workspaceFolderValue',
  'workspaceLanguageValue',
  'workspaceFolderLanguageValue',
] as const;

/** Returns a test for servers that only the user names. VS Code merges values, so a shared name is the folder's. */
export function ownServers(
  levels: Partial<Record<(typeof folderLevels)[number], unknown>> | undefined,
): (name: string) => boolean {
  const values = folderLevels.map((level) => levels?.[level]);
  const ofFolder = values.filter((value) => value !== undefined && value !== null);
  return (name) => ofFolder.every((value) => typeof value === 'object' && !Object.hasOwn(value, name));
}

/** Writes a setting to the workspace if one is open, else for the user. @param name without the section's prefix */
export async function writeSetting(name: string, value: unknown): Promise<void> {
  const { Workspace, Global } = vscode.ConfigurationTarget;
  const hasWorkspace = (vscode.workspace.workspaceFolders ?? []).length > 0;
  await vscode.workspace.getConfiguration(section).update(name, value, hasWorkspace ? Workspace : Global);
}

/** Reports each problem in the settings once, and again only after it was fixed. */
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
