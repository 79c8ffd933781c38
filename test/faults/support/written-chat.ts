import { appendFile } from 'node:fs/promises';
import type { ChatModel } from '../../../src/agent/model/chat-model.ts';
import { OfflineModel } from '../../../src/agent/offline/offline-model.ts';
import { AgentSession } from '../../../src/agent/session/agent-session.ts';
import type { CompactionSettings } from '../../../src/compaction/service/service-ports.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../../src/compaction/transcript/transcript-entry.ts';
import { isTyped } from '../../../src/compaction/messages/message.ts';
import { SessionStore, type OpenedSession } from '../../../src/presenters/storage/session-store.ts';
import { isEntry, type SessionEvent } from '../../../src/transcripts/session/session-event.ts';
import { allowAll, settingsFor } from '../../agent/session/session-harness.ts';

/** A chat in a real file, and a list of acknowledged entries: the oracle. */
export class WrittenChat {
  /** Every entry whose line was acknowledged, as JSON, oldest first. */
  acknowledged: string[] = [];
  session: AgentSession;
  private readonly folder: string;
  private readonly meter: UsageMeter;
  private readonly now: () => number;
  private opened: Pick<OpenedSession, 'file'> & { readonly id: string };
  private window = 8_000;
  private model: ChatModel = scripted('one');

  /** @param now milliseconds since 1970 */
  constructor(folder: string, meter: UsageMeter, now: () => number = () => 0) {
    this.folder = folder;
    this.meter = meter;
    this.now = now;
    this.opened = this.store.create(0);
    this.session = this.sessionOf({ title: undefined, entries: [], tools: [], lastTurn: undefined });
  }

  /** The store of another window; both share only the folder. */
  private get store(): SessionStore {
    return new SessionStore(this.folder, { durability: () => 'none' });
  }

  get path(): string {
    return this.store.pathOf(this.opened.id);
  }

  /** The session as another window reads it from the file. */
  async read(): Promise<OpenedSession | undefined> {
    return this.store.open(this.opened.id);
  }

  /** Ends suddenly, or after closing the file, and continues with the content of the file. */
  async reopen(isCrash: boolean): Promise<readonly string[]> {
    if (!isCrash) {
      this.session.stop();
      await this.opened.file.close();
    }
    const found = await this.read();
    if (found === undefined) return [];
    const before = this.opened;
    this.opened = { id: before.id, file: found.file };
    this.session = this.sessionOf({ ...found.contents });
    await before.file.close();
    return found.contents.problems;
  }

  /** Damages the end of the file, like a crash in the middle of a line. */
  async tear(garbage: string): Promise<void> {
    await this.opened.file.close();
    await appendFile(this.path, garbage);
  }

  /** Continues in a new chat with everything before a typed message. */
  async fork(choice: number): Promise<void> {
    const { entries } = this.session.transcript;
    const places = entries.flatMap((entry, index) =>
      entry.type === 'message' && isTyped(entry.message) ? [index] : [],
    );
    const before = entries.slice(0, places[choice % places.length]);
    const written = await this.store.write(0, before, new AbortController().signal);
    await this.opened.file.close();
    this.opened = written;
    this.acknowledged = before.map((entry) => JSON.stringify(entry));
    this.session = this.sessionOf({ title: undefined, entries: before, tools: [], lastTurn: undefined });
  }

  switchModel(name: string, window: number): void {
    this.model = scripted(name);
    this.window = window;
  }

  /** Ids of all messages. */
  get messageIds(): readonly string[] {
    return messagesOf(this.session.transcript).map(({ id }) => id);
  }

  async close(): Promise<void> {
    await this.opened.file.close();
  }

  private sessionOf(start: ConstructorParameters<typeof AgentSession>[0]): AgentSession {
    const { file } = this.opened;
    const offline = new OfflineModel({ window: 32_000 });
    const log = async (event: SessionEvent) => {
      await file.append(event);
      if (isEntry(event)) this.acknowledged.push(JSON.stringify(event satisfies TranscriptEntry));
    };
    const settings = (): CompactionSettings => ({
      ...settingsFor(),
      budget: { window: this.window, triggerRatio: 0.85, targetRatio: 0.5 },
    });
    return new AgentSession(
      start,
      {
        log,
        models: () => Promise.resolve({ chat: this.model, compaction: offline, named: () => offline }),
        tools: () => [],
        settings,
        meter: this.meter,
        systemPrompt: () => 'rules',
        approvals: allowAll,
        now: this.now,
      },
      () => {},
    );
  }
}

/** A model that answers every message with text of some length, in pieces. */
function scripted(name: string): ChatModel {
  return {
    id: name,
    label: name,
    window: undefined,
    summarise: () => Promise.reject(new Error('not asked to')),
    async *stream({ messages }) {
      const content = `${name} says: ${'some words, '.repeat(300 + (messages.length % 60) * 10)}done.`;
      yield await Promise.resolve({ type: 'text-delta', text: content } as const);
      yield { type: 'end', reply: { content, reasoning: '', toolCalls: [], finishReason: 'stop' } };
    },
  };
}
