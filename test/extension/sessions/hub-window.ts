import { join } from 'node:path';
import type * as vscode from 'vscode';
import { OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import { RulesOfChat } from '../../../src/extension/agent/agent-host.ts';
import type { HubPorts } from '../../../src/extension/sessions/active-session.ts';
import { SessionHub } from '../../../src/extension/sessions/session-hub.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import { StateFile } from '../../../src/presenters/storage/state-file.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { settingsFor } from '../../agent/session/session-harness.ts';

/** The hub of a window, with real files and the offline model. */
export class HubWindow {
  readonly hub: SessionHub;
  readonly store: SessionStore;
  readonly state: StateFile;
  /** False as if the editor's window had crashed. */
  hasWindow = true;
  /** Lines of the log. */
  readonly logged: string[] = [];

  /** @param storage shared by the windows of a workspace */
  constructor(
    storage: string,
    meter: UsageMeter,
    store: SessionStore = new SessionStore(join(storage, 'sessions'), { windowName: () => 'project' }),
    continued: HubPorts['continued'] = () => Promise.resolve(undefined),
  ) {
    this.store = store;
    this.state = new StateFile(join(storage, 'state.json'));
    const model = new OfflineModel();
    const settings = settingsFor();
    const write = (line: string) => void this.logged.push(line);
    this.hub = new SessionHub({
      store,
      state: this.state,
      meterOf: () => meter,
      log: { info: write, warn: write, error: write } as unknown as vscode.LogOutputChannel,
      models: () => Promise.resolve({ chat: model, named: () => model }),
      settings: () => settings,
      systemPrompt: () => 'rules',
      toolsOf: () => Promise.resolve([]),
      filesOf: () => Promise.resolve(undefined),
      approvalsOf: () => new RulesOfChat(() => Promise.reject(new Error('nothing is asked'))),
      forget: () => Promise.resolve(),
      continued,
      hasWindow: () => Promise.resolve(this.hasWindow),
      now: () => Date.now(),
    });
  }

  /** Sends a message in the active chat and waits for the answer. */
  async say(text: string): Promise<void> {
    await (await this.hub.current()).session.send(text);
  }

  /** User messages of the active chat, oldest first. */
  async said(): Promise<readonly string[]> {
    const { session } = await this.hub.current();
    return session.transcript.view.flatMap(({ role, content }) =>
      role === 'user' && typeof content === 'string' ? [content] : [],
    );
  }
}
