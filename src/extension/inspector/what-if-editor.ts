import * as vscode from 'vscode';
import { factsOfModel } from '../../compaction/budget/model-table.ts';
import { section } from '../settings/configuration.ts';
import { readSettings } from '../settings/read-settings.ts';
import type { WhatIfHostPorts } from './what-if-host.ts';

/** What the comparison of strategies needs of VS Code. */
export const whatIfEditor: Omit<WhatIfHostPorts, 'outside'> = {
  settings: () => {
    const configuration = vscode.workspace.getConfiguration(section);
    const get = (name: string): unknown => configuration.get(name);
    const { strategy, protectFirst, focus, models } = readSettings(get);
    return {
      current: strategy.id,
      protectFirst,
      focus,
      // Read as if it were the chosen one: what is wrong in its options was reported when they were set.
      optionsOf: (id) => readSettings((name) => (name === 'strategy' ? id : get(name))).options,
      factsOf: (model) => factsOfModel(model, models),
    };
  },
  useStrategy: async (strategy) => {
    const hasWorkspace = (vscode.workspace.workspaceFolders ?? []).length > 0;
    await vscode.workspace
      .getConfiguration(section)
      .update(
        'strategy',
        strategy,
        hasWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global,
      );
  },
  tell: (sentence) => void vscode.window.showInformationMessage(sentence),
  now: () => Date.now(),
};
