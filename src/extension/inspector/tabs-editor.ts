import * as vscode from 'vscode';
import { factsOfModel } from '../../compaction/budget/model-table.ts';
import { documentScheme } from '../ids.ts';
import { section } from '../settings/configuration.ts';
import { readSettings } from '../settings/read-settings.ts';
import { writeSetting } from '../settings/write-setting.ts';
import type { TabsEditor } from './tabs-host.ts';

/** What the tabs need of VS Code. */
export const tabsEditor: Omit<TabsEditor, 'showInChat'> = {
  language: vscode.env.language,
  settings: () => {
    const configuration = vscode.workspace.getConfiguration(section);
    const { mode, strategy, protectFirst, models } = readSettings((name) => configuration.get(name));
    return { mode, strategy: strategy.id, protectFirst, factsOf: (model) => factsOfModel(model, models) };
  },
  setTrigger: (ratio) => writeSetting('triggerRatio', ratio),
  openSetting: async (id) => {
    await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${id}`);
  },
  openMessage: async (sessionId, messageId) => {
    const uri = vscode.Uri.from({ scheme: documentScheme, path: `/${sessionId}/${messageId}` });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  },
};
