import type { AgentEvent, AgentSession } from '../../agent/session.ts';
import { messageOf } from '../../compaction/failure.ts';
import { textOf } from '../../compaction/message.ts';
import type { TriggerSource } from '../../compaction/record.ts';
import type { TranscriptEntry } from '../../compaction/transcript-entry.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { messagesOf } from '../../compaction/transcript.ts';
import type { ChatChange, ChatRow, Meter } from '../protocol/chat.ts';
import { ChatRows } from './chat-rows.ts';

/** What a feed tells whoever listens. */
export interface FeedListener {
  readonly changed: (changes: readonly ChatChange[]) => void;
  readonly failed: (message: string) => void;
}

/** Turns what happens in a session into rows of the chat and a meter, in order. */
export class ChatFeed {
  private readonly session: AgentSession;
  private readonly meterOf: () => UsageMeter;
  private readonly listener: FeedListener;
  private readonly rows = new ChatRows();
  /** Events are worked off one after the other, because counting takes a moment. */
  private queue: Promise<void> = Promise.resolve();
  private isMeterStale = false;

  constructor(session: AgentSession, meterOf: () => UsageMeter, listener: FeedListener) {
    this.session = session;
    this.meterOf = meterOf;
    this.listener = listener;
    // What comes later is told as an event.
    const { entries } = session.transcript;
    this.enqueue(() => this.replay(entries));
  }

  /** The rows, once everything that happened so far is in them. */
  async allRows(): Promise<readonly ChatRow[]> {
    await this.queue;
    return this.rows.all();
  }

  /** The whole result of a call, by the id of its row; undefined where there is none. */
  outputOf(rowId: string): string | undefined {
    const messageId = this.rows.resultOf(rowId);
    const result = messagesOf(this.session.transcript).find(({ id }) => id === messageId);
    return result === undefined ? undefined : textOf(result.content);
  }

  handle(event: AgentEvent): void {
    this.enqueue(async () => {
      const changes = await this.changesFor(event);
      if (changes.length > 0) this.listener.changed(changes);
    });
    if (event.type === 'entry' || event.type === 'compaction-end') this.refreshMeter();
  }

  /** Counts anew, for example after a setting changed. */
  refreshMeter(): void {
    if (this.isMeterStale) return;
    this.isMeterStale = true;
    this.enqueue(async () => {
      this.isMeterStale = false;
      const state = { meter: await this.meter(), proposal: this.proposal };
      this.listener.changed([{ type: 'state', state }]);
    });
  }

  /** What calls for the compaction that the person is asked about now. */
  get proposal(): TriggerSource | null {
    return this.session.compaction.proposal?.source ?? null;
  }

  async meter(): Promise<Meter> {
    const { compaction } = this.session;
    const { total, byKind } = await compaction.usage();
    const { window, trigger, reservedOutput } = compaction.budget;
    const isBreakerOpen = compaction.isBreakerOpen;
    return { tokens: total, byKind, window, trigger, reserved: reservedOutput, isBreakerOpen };
  }

  private async replay(entries: readonly TranscriptEntry[]): Promise<void> {
    const messages = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
    await this.meterOf().measureEach(messages);
    for (const entry of entries) this.rows.addEntry(entry, await this.tokensOf(entry));
    if (!this.session.isBusy) this.rows.endTurn();
    this.rows.setTurn(this.session.lastTurn);
  }

  private async changesFor(event: AgentEvent): Promise<readonly ChatChange[]> {
    switch (event.type) {
      case 'entry':
        return this.rows.addEntry(event.entry, await this.tokensOf(event.entry));
      case 'text':
        return this.rows.addText(event.messageId, event.text);
      case 'reasoning':
        return this.rows.addReasoning(event.messageId, event.text);
      case 'activity': {
        const { activity } = event;
        const ended = activity === 'idle' ? this.rows.endTurn() : [];
        return [...ended, { type: 'state', state: { activity } }];
      }
      case 'turn':
        return this.rows.setTurn(event.turn);
      case 'title':
        return [{ type: 'state', state: { title: event.title } }];
      case 'compaction-proposed':
        return [{ type: 'state', state: { proposal: event.trigger?.source ?? null } }];
      case 'compaction-start':
      case 'compaction-end':
        return [];
    }
  }

  private async tokensOf(entry: TranscriptEntry): Promise<number> {
    if (entry.type !== 'message') return 0;
    const [usage] = await this.meterOf().measureEach([entry.message]);
    return usage?.total ?? 0;
  }

  private enqueue(work: () => Promise<void>): void {
    this.queue = this.queue.then(work).catch((error: unknown) => this.listener.failed(messageOf(error)));
  }
}
