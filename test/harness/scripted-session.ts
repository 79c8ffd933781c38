import { readFile } from 'node:fs/promises';
import type { TranscriptEntry } from '../../src/compaction/transcript-entry.ts';
import { readSession } from '../../src/transcripts/session-format.ts';
import type { ScriptedReply } from '../agent/openai/scripted-reply.ts';
import { ScriptedServer } from '../agent/openai/scripted-server.ts';
import { ChatPage } from './chat-page.ts';
import { SessionLog } from './session-log.ts';
import { VscodeWorkbench } from './vscode-workbench.ts';

/** A chat in a workbench with a model that says what it is told to. */
export class ScriptedSession {
  readonly server: ScriptedServer;
  readonly workbench: VscodeWorkbench;
  readonly chat: ChatPage;

  private constructor(server: ScriptedServer, workbench: VscodeWorkbench, chat: ChatPage) {
    this.server = server;
    this.workbench = workbench;
    this.chat = chat;
  }

  /** @param settings of the workspace, by their names without the extension's */
  static async open(settings: Readonly<Record<string, unknown>>): Promise<ScriptedSession> {
    const server = await ScriptedServer.start();
    const named = Object.entries({ model: 'scripted', ...settings }).map(
      ([name, value]) => [settingId(name), value] as const,
    );
    const workbench = await VscodeWorkbench.open({
      settings: Object.fromEntries(named),
      machineSettings: { [settingId('baseUrl')]: server.baseUrl },
    });
    return new ScriptedSession(server, workbench, await ChatPage.open(workbench));
  }

  /** Asks something, and waits for the answer; the last reply of the model has to be one. */
  async ask(question: string, ...replies: readonly ScriptedReply[]): Promise<void> {
    this.server.reply(...replies);
    await this.chat.ask(question);
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

  /** What the settings of the workspace say now. */
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
