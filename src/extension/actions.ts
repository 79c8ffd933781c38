import * as vscode from 'vscode';
import { messageOf } from '../compaction/failure.ts';
import { recordsInForce } from '../compaction/view.ts';
import { catalogue } from '../compaction/strategies/index.ts';
import type { Strategy } from '../compaction/strategies/strategy.ts';
import type { ApiKeys } from './models/api-keys.ts';
import type { SessionHub } from './session-hub.ts';
import { section } from './settings/configuration.ts';
import type { Settings } from './settings/read-settings.ts';

/** What a person can do, from whichever view or command it is asked. */
export class Actions {
  private readonly hub: SessionHub;
  private readonly keys: ApiKeys;
  private readonly settings: () => Settings;
  private readonly log: vscode.LogOutputChannel;
  private readonly inspector: (recordId: string | undefined) => void;

  constructor(
    hub: SessionHub,
    keys: ApiKeys,
    settings: () => Settings,
    log: vscode.LogOutputChannel,
    inspector: (recordId: string | undefined) => void,
  ) {
    this.hub = hub;
    this.keys = keys;
    this.settings = settings;
    this.log = log;
    this.inspector = inspector;
  }

  openInspector(recordId?: string): void {
    this.inspector(recordId);
  }

  async compactNow(): Promise<void> {
    const { session } = await this.hub.current();
    if (session.isEmpty) {
      void vscode.window.setStatusBarMessage('There is nothing to compact yet.', 4_000);
      return;
    }
    const record = await session.compactNow();
    if (record.status === 'applied') return;
    const why = record.reason?.message ?? '';
    void vscode.window.setStatusBarMessage(`Compaction: ${record.status}. ${why}`, 8_000);
  }

  /** Undoes a compaction, the newest one where none is named; says first what else goes with it. */
  async undo(recordId?: string): Promise<void> {
    const { session } = await this.hub.current();
    const id = recordId ?? recordsInForce(session.transcript.entries).at(-1)?.id;
    if (id === undefined) {
      void vscode.window.showInformationMessage('There is no compaction to undo in this chat.');
      return;
    }
    const others = session.compaction.undoneWith(id).length - 1;
    if (others > 0) {
      const later = others === 1 ? 'one later compaction' : `${others} later compactions`;
      const choice = await vscode.window.showWarningMessage(
        `Undo this compaction and ${later} that build on it?`,
        { modal: true, detail: 'The messages come back as they were. Nothing that was said since is lost.' },
        'Undo',
      );
      if (choice === undefined) return;
    }
    await session.undo(id);
  }

  /** Sets the strategy, in the workspace where there is one. */
  async selectStrategy(): Promise<void> {
    const current = this.settings().strategy.id;
    const strategies: readonly Strategy[] = Object.values(catalogue);
    const picked = await vscode.window.showQuickPick(
      strategies.map(({ id, title, description }) => ({
        label: title,
        description: id === current ? `${id} (current)` : id,
        detail: description,
        id,
      })),
      {
        title: 'Compaction Strategy',
        placeHolder: 'How the conversation is made smaller',
        matchOnDescription: true,
      },
    );
    if (picked === undefined) return;
    const hasWorkspace = (vscode.workspace.workspaceFolders ?? []).length > 0;
    await vscode.workspace
      .getConfiguration(section)
      .update(
        'strategy',
        picked.id,
        hasWorkspace ? vscode.ConfigurationTarget.Workspace : vscode.ConfigurationTarget.Global,
      );
  }

  async setApiKey(): Promise<void> {
    const { baseUrl } = this.settings();
    const { host } = new URL(baseUrl);
    const key = await vscode.window.showInputBox({
      title: `API Key for ${host}`,
      prompt: `Kept in the editor's secret storage and sent to ${host} only.`,
      password: true,
      ignoreFocusOut: true,
      validateInput: (value) => (/\s/.test(value.trim()) ? 'A key has no spaces or line breaks.' : undefined),
    });
    if (key === undefined || key.trim() === '') return;
    await this.keys.set(baseUrl, key.trim());
  }

  async clearApiKey(): Promise<void> {
    const { baseUrl } = this.settings();
    await this.keys.clear(baseUrl);
    void vscode.window.setStatusBarMessage(`The API key for ${new URL(baseUrl).host} was cleared.`, 4_000);
  }

  /** An action that failed: the person reads why, the log keeps the details. */
  report(error: unknown): void {
    this.log.error(error instanceof Error ? (error.stack ?? error.message) : String(error));
    void vscode.window.showErrorMessage(`Context Budget: ${messageOf(error)}`);
  }
}
