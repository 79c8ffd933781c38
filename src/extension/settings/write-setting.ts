import * as vscode from 'vscode';
import { section } from './configuration.ts';

/**
 * Sets a setting in the workspace where one is open, and for the person everywhere where none is.
 *
 * @param name without the section's prefix
 */
export async function writeSetting(name: string, value: unknown): Promise<void> {
  const { Workspace, Global } = vscode.ConfigurationTarget;
  const hasWorkspace = (vscode.workspace.workspaceFolders ?? []).length > 0;
  await vscode.workspace.getConfiguration(section).update(name, value, hasWorkspace ? Workspace : Global);
}
