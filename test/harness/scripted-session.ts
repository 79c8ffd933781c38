import { readFile } from 'node:fs/promises';
import type { Message } from '../../src/compaction/messages/message.ts';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import type { TranscriptEntry } from '../../src/compaction/transcript/transcript-entry.ts';
import { readSession } from '../../src/transcripts/session/session-format.ts';
import type { ScriptedReply } from '../agent/openai/scripted-reply.ts';
import { ScriptedServer } from '../agent/openai/scripted-server.ts';
import { ChatPage } from './chat-page.ts';
import { SessionLog } from './session-log.ts';
import { VscodeWorkbench, type WorkbenchOptions } from './vscode-workbench.ts';

/** A chat in a workbench with a scripted model. */
export class ScriptedSession {
  readonly server: ScriptedServer;
  readonly workbench: VscodeWorkbench;
  readonly chat: ChatPage;

  private constructor(server: ScriptedServer, workbench: VscodeWorkbench, chat: ChatPage) {
    this.server = server;
    this.workbench = workbench;
    this.chat = chat;
  }

  /**
   * @param settings of the workspace, by their names without the extension's
   * @param options of the workbench; its settings are those of VS Code itself
   */
  static async open(
    settings: Readonly<Record<string, unknown>>,
    options: WorkbenchOptions = {},
  ): Promise<ScriptedSession> {
    const server = await ScriptedServer.start();
    const named = Object.entries(settings).map(([name, value]) => [settingId(name), value] as const);
    const workbench = await VscodeWorkbench.open({
      ...options,
      settings: { ...options.settings, ...Object.fromEntries(named) },
      // An untrusted folder may not choose the model.
      userSettings: { ...options.userSettings, [settingId('model')]: 'scripted' },
      machineSettings: { ...options.machineSettings, [settingId('baseUrl')]: server.baseUrl },
    });
    return new ScriptedSession(server, workbench, await ChatPage.open(workbench));
  }

  /** Asks a question and waits for the answer; the last reply of the model has to be an answer. */
  async ask(question: string, ...replies: readonly ScriptedReply[]): Promise<void> {
    this.server.reply(...replies);
    await this.chat.ask(question);
  }

  /** Changes settings of the workspace, by their names without the extension's. */
  async change(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const named = Object.entries(settings).map(([name, value]) => [settingId(name), value] as const);
    await this.workbench.changeSettings(Object.fromEntries(named));
  }

  async compact(): Promise<void> {
    const rows = await this.chat.compactions.count();
    await this.workbench.runCommand('Context Budget: Compact Now');
    await this.chat.compactions.nth(rows).waitFor();
  }

  /** Everything that the session file has. */
  async entries(): Promise<readonly TranscriptEntry[]> {
    const { path } = await SessionLog.of(this.workbench);
    return readSession(await readFile(path, 'utf8')).entries;
  }

  async records(): Promise<readonly CompactionRecord[]> {
    return (await SessionLog.of(this.workbench)).records();
  }

  /** The messages that the next request would send. */
  async view(): Promise<readonly Message[]> {
    return (await SessionLog.of(this.workbench)).view();
  }

  /** The current settings of the workspace. */
  async setting(name: string): Promise<unknown> {
    const text = await this.workbench.workspace.read('.vscode/settings.json');
    return (JSON.parse(text) as Readonly<Record<string, unknown>>)[settingId(name)];
  }

  async close(): Promise<void> {
    await this.workbench.close();
    await this.server.close();
  }
}

function settingId(name: string): string {
  return `contextBudget.${name}`;
}
