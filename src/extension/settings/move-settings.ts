import * as vscode from 'vscode';
import { hostText } from '../editor/editor-wording.ts';
import { section } from '../../presenters/settings/general-settings.ts';
import {
  isPersonalSetting,
  type SettingsMove,
  settingsMove,
} from '../../presenters/settings/old-settings.ts';
import { showInformation } from '../editor/plain-notices.ts';

/** Storage key of the note that the user was told about old settings. */
const toldKey = 'contextBudget.toldOfOldSettings';

/** The changes that move the old settings of one scope. */
interface ScopeMove {
  readonly configuration: vscode.WorkspaceConfiguration;
  readonly target: vscode.ConfigurationTarget;
  readonly move: SettingsMove;
}

/** Notifies the user once that old settings are in use, and offers to move them. */
export async function offerToMoveSettings(kept: vscode.Memento): Promise<void> {
  const found = scopeMoves().length > 0;
  await vscode.commands.executeCommand('setContext', 'contextBudget.hasOldSettings', found);
  if (!found || kept.get(toldKey) === true) return;
  await kept.update(toldKey, true);
  const moveThem = hostText('moveSettings');
  const choice = await showInformation(hostText('settingsHaveMoved'), moveThem);
  if (choice === moveThem) await moveSettings();
}

/** Moves the values of old settings to the current settings, scope by scope. */
export async function moveSettings(): Promise<void> {
  for (const { configuration, target, move } of scopeMoves()) {
    for (const [name, value] of move.write) await configuration.update(name, value, target);
    for (const name of move.remove) await configuration.update(name, undefined, target);
  }
  await vscode.commands.executeCommand('setContext', 'contextBudget.hasOldSettings', false);
}

function scopeMoves(): readonly ScopeMove[] {
  const { Global, Workspace, WorkspaceFolder } = vscode.ConfigurationTarget;
  const whole = vscode.workspace.getConfiguration(section);
  const folders = vscode.workspace.workspaceFile === undefined ? [] : vscode.workspace.workspaceFolders;
  return [
    ...scopeMove(whole, Global, (name) => whole.inspect(name)?.globalValue),
    ...scopeMove(whole, Workspace, (name) => whole.inspect(name)?.workspaceValue),
    ...(folders ?? []).flatMap(({ uri }) => {
      const own = vscode.workspace.getConfiguration(section, uri);
      return scopeMove(own, WorkspaceFolder, (name) => own.inspect(name)?.workspaceFolderValue);
    }),
  ];
}

function scopeMove(
  configuration: vscode.WorkspaceConfiguration,
  target: vscode.ConfigurationTarget,
  get: (name: string) => unknown,
): readonly ScopeMove[] {
  const isPersonal = target === vscode.ConfigurationTarget.Global;
  // A folder's values of personal settings were never used and are not moved.
  const move = settingsMove((name) => (isPersonal || !isPersonalSetting(name) ? get(name) : undefined));
  return move === undefined ? [] : [{ configuration, target, move }];
}
