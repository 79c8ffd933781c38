import * as vscode from 'vscode';
import { inEditorLanguage } from '../language/in-editor-language.ts';
import { section } from '../settings/configuration.ts';
import { readSettings } from '../settings/read-settings.ts';
import { writeSetting } from '../settings/write-setting.ts';
import type { WhatIfHostPorts } from './what-if-host.ts';
import { tryOnThread } from './what-if-thread.ts';

/**
 * What the comparison of strategies needs of VS Code.
 *
 * @param script absolute path of the bundled `what-if-worker.js`
 */
export const whatIfEditor = (script: string): Omit<WhatIfHostPorts, 'outside'> => ({
  settings: () => {
    const configuration = vscode.workspace.getConfiguration(section);
    const get = (name: string): unknown => configuration.get(name);
    const { strategy, protectFirst, focus } = readSettings(get);
    return {
      current: strategy.id,
      protectFirst,
      focus,
      // Read as if it were the chosen one: what is wrong in its options was reported when they were set.
      optionsOf: (id) => readSettings((name) => (name === 'strategy' ? id : get(name))).options,
    };
  },
  tryAll: (trial, transcript, outside, tellProgress, signal) =>
    tryOnThread(script, trial, transcript, outside, tellProgress, signal),
  useStrategy: (strategy) => writeSetting('strategy', strategy),
  tell: (sentence) => void vscode.window.showInformationMessage(inEditorLanguage(sentence)),
  now: () => Date.now(),
});
