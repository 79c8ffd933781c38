import * as vscode from 'vscode';
import { inEditorLanguage } from '../language/in-editor-language.ts';
import { section } from './configuration.ts';

/** Tells a person what is wrong with settings: once for each problem, and not again until it was mended. */
export class SettingsReporter {
  private readonly log: vscode.LogOutputChannel;
  private told: ReadonlySet<string> = new Set();

  constructor(log: vscode.LogOutputChannel) {
    this.log = log;
  }

  report(problems: readonly string[]): void {
    const fresh = problems.filter((problem) => !this.told.has(problem));
    this.told = new Set(problems);
    if (fresh.length === 0) return;
    for (const problem of fresh) this.log.warn(problem);
    const message = fresh.map(inEditorLanguage).join(' ');
    void vscode.window.showWarningMessage(message, vscode.l10n.t('Open Settings')).then((choice) => {
      if (choice !== undefined) {
        void vscode.commands.executeCommand('workbench.action.openSettings', section);
      }
    });
  }
}
