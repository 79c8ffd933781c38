import type { Message } from '../../compaction/messages/message.ts';
import { outputId } from '../../compaction/records/plan.ts';
import { recordedText, phraseOf } from '../../compaction/records/reason.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import type { CancellationSignal } from '../../compaction/signals/cancellation.ts';
import type { CompactionService } from '../../compaction/service/service.ts';
import type { CompactionSettings, Overflow } from '../../compaction/service/service-ports.ts';
import { tagSuffixFrom } from '../../compaction/quoting/session-tags.ts';
import { sum } from '../../compaction/tokens/usage.ts';
import type { Transcript } from '../../compaction/transcript/transcript.ts';
import { sessionName } from '../../transcripts/reading/typed-title.ts';
import type { ExchangeEvent, ToolSet } from '../../transcripts/session/session-event.ts';
import type { SessionContents } from '../../transcripts/session/session-format.ts';
import { createSessionCompaction, type Journal } from '../session/journal.ts';
import type { Models, SessionPorts } from '../session/session-ports.ts';
import type { AskedChange } from './asked-changes.ts';
import { historyEvent, type Known, knownIn } from './client-history.ts';
import { ClientJournal } from './client-journal.ts';
import {
  addedAgainFrom,
  canContinue,
  areAlike,
  changeBetween,
  type Compared,
  comparedTo,
  type HistoryChange,
  type SentMessage,
} from './history-change.ts';
import { hasReplyOf } from './request-links.ts';
import { type Rewriting, rewritingRecord } from './rewriting.ts';
import { leavingMessages, shownBefore } from './summaries-in-force.ts';

/** Ports of all conversations. Models, settings and counting are those of a session. */
export interface GovernedPorts extends Pick<
  SessionPorts,
  'models' | 'settings' | 'customStrategy' | 'folder' | 'meter' | 'now'
> {
  /** Begins the file of a new conversation, unless its request does. */
  readonly open: () => ConversationFile;
  /** Called with the reason why a request was sent as the client sent it, or could not be recorded. */
  readonly warn: (error: unknown) => void;
  /** True if clients have our tool `recall`. It does not know sub-agents. */
  readonly canRecall?: boolean;
  /**
   * Called if the window is too small for a client's instructions and tools, and is widened. Without it, the window is
   * a limit of the model, and stays.
   */
  readonly widened?: (fixedTokens: number, window: number) => void;
}

/** The file of one conversation. */
export interface ConversationFile extends Pick<SessionPorts, 'log' | 'elsewhere'> {
  readonly id: string;
  /** Makes each change that the user asked for; absent if nobody can ask. */
  readonly makeAsked?: (make: (change: AskedChange) => Promise<unknown>) => Promise<void>;
  close(): Promise<void>;
}

/** Facts about a client's request besides its messages. */
export interface RequestOrigin {
  /** Id that the client gives its session. Requests of different sessions are of different conversations. */
  readonly session?: string | undefined;
  /** Strategy id of the client's own compactions. */
  readonly client?: string | undefined;
  /** Id of the conversation that a request for a title or a summary is about, but does not continue. */
  readonly repeats?: string | undefined;
  /** Tools that the model does not read, because it finds them on demand. */
  readonly aside?: ToolSet['aside'];
  /** MCP servers by the names of their tools. */
  readonly servers?: Readonly<Record<string, string>>;
  /** Begins the file of the conversation if the request is its first. */
  readonly open?: () => ConversationFile;
  /** Finds recorded conversations that the request may continue, the likeliest first. */
  readonly recorded?: () => AsyncIterable<RecordedConversation>;
}

/** A conversation that is not followed, as its file describes it. */
export interface RecordedConversation {
  readonly contents: SessionContents;
  readonly file: ConversationFile;
  /** Prepares the file for writing. @returns false if another program writes it */
  claim(): Promise<boolean>;
}

/** The way in which a request's history continues a conversation. */
export interface Continuation {
  readonly change: HistoryChange;
  readonly gone: ReadonlySet<string>;
}

const evenUnsaved = { evenUnsaved: true };

/**
 * Minimum share of a chosen window for messages. With less, compaction would remove the newest results, because it
 * cannot remove instructions and tools.
 */
const messageShare = 0.5;

/** A client's conversation as a transcript, and the compactions of it. */
export class GovernedConversation {
  /** Number of times that the history has changed. */
  version = 0;
  /** The last reply to a request that another one overtook. It may be a summary of the conversation. */
  overtaken: SentMessage | undefined;
  readonly session: string | undefined;
  readonly repeats: string | undefined;
  private readonly client: string | undefined;
  private readonly ports: GovernedPorts;
  private readonly file: ConversationFile;
  private readonly journal: Journal;
  readonly compaction: CompactionService;
  private models: Models | undefined;
  private known: readonly Known[] = [];
  /** The history of the last request, without its reply. */
  private asked: readonly Compared[] = [];
  /** Number of times that the client had sent the last request before. */
  retries = 0;
  /** Tokens of the client's instructions and tools. */
  private fixedTokens = 0;
  private isWidened = false;

  /** @param recorded the conversation so far; undefined for a new one */
  constructor(
    ports: GovernedPorts,
    { session, repeats, client, open = ports.open }: RequestOrigin,
    recorded?: Omit<RecordedConversation, 'claim'>,
  ) {
    this.ports = ports;
    this.session = session;
    this.repeats = repeats;
    this.client = client;
    this.file = recorded?.file ?? open();
    const { id, log, elsewhere } = this.file;
    const start = {
      ...(recorded?.contents ?? { entries: [], tools: [] }),
      tagSuffix: tagSuffixFrom(id),
      folder: ports.folder?.(),
    };
    this.journal = new ClientJournal(start, log, ports.canRecall === true && !id.includes('.'));
    const { customStrategy } = ports;
    const compactionPorts = {
      get meter() {
        return ports.meter;
      },
      now: ports.now,
      settings: () => this.widened(unasked(ports.settings())),
      ...(customStrategy === undefined ? {} : { customStrategy }),
      ...(elsewhere === undefined ? {} : { elsewhere }),
    };
    this.compaction = createSessionCompaction(
      this.journal,
      compactionPorts,
      () => this.models,
      () => {},
    );
    if (recorded !== undefined) this.resume(recorded.contents);
  }

  /** Takes up the client's last history, and what the provider reported about it. */
  private resume(contents: SessionContents): void {
    this.known = knownIn(contents);
    const last = contents.exchanges.at(-1);
    const isReplied = last?.messageId !== undefined && last.messageId === this.known.at(-1)?.id;
    this.asked = isReplied ? this.known.slice(0, -1) : this.known;
    this.retries = last?.retry ?? 0;
    const entry = contents.entries.at(-1);
    const usage = entry?.type === 'message' ? entry.message.usage : undefined;
    if (usage !== undefined) this.compaction.noteReported(usage);
  }

  get id(): string {
    return this.file.id;
  }

  get transcript(): Transcript {
    return this.journal.transcript;
  }

  /** False for a request outside a client's conversation, such as for a title, and for a client without tools. */
  get hasTools(): boolean {
    const { tools, aside = [] } = this.journal.toolSet;
    return tools.length + aside.length > 0;
  }

  get view(): readonly Message[] {
    return this.transcript.view;
  }

  /** Undoes a compaction from the next request on. @throws {TranscriptError} if the record is not in force */
  undo(recordId: string): Promise<readonly CompactionRecord[]> {
    return this.compaction.undo(recordId);
  }

  /** Restores a message from the next request on. @throws {TranscriptError} if it is unknown */
  restore(messageId: string): Promise<readonly string[]> {
    return this.compaction.restore(messageId);
  }

  /** Makes the changes that the user asked for in the meantime. */
  async makeAsked(): Promise<void> {
    await this.file.makeAsked?.((change) =>
      'undo' in change ? this.undo(change.undo) : this.restore(change.restore),
    );
  }

  /** Tells how a history continues this conversation; undefined if it is another conversation. */
  continuation(sent: readonly Compared[]): Continuation | undefined {
    if (!canContinue(this.known, sent)) return undefined;
    const change = changeBetween(this.known, sent);
    return change?.likeness === undefined ? undefined : this.continuationBy(change);
  }

  /**
   * Tells how a history follows that has a summary in place of this conversation.
   *
   * @param author the conversation whose last reply is the summary
   */
  summarised(sent: readonly SentMessage[], author: GovernedConversation): Continuation | undefined {
    const { view, overtaken } = author;
    const hasSummary =
      hasReplyOf(view, sent, author !== this) ||
      (overtaken !== undefined && hasReplyOf([overtaken], sent, false));
    if (!hasSummary) return undefined;
    const change = changeBetween(this.known, sent.map(comparedTo));
    return change && this.continuationBy(change);
  }

  private continuationBy(change: HistoryChange): Continuation {
    const left = new Set(change.gone.map((index) => this.idAt(index)));
    const staying = new Map(Array.from(change.earlier, ([fresh, old]) => [this.idAt(old), fresh]));
    const { gone, torn } = leavingMessages(left, new Set(staying.keys()), this.transcript);
    if (torn.size === 0) return { change, gone };
    // A summary cannot stay for some of its messages, so the client's messages come back in its place.
    const first = Math.min(...Array.from(torn, (id) => staying.get(id) ?? Infinity));
    return this.continuationBy(addedAgainFrom(first, change));
  }

  /** Takes over a history. The record of rewritten messages comes before the new messages. */
  async follow(
    sent: readonly SentMessage[],
    toolSet: ToolSet,
    { change, gone }: Continuation,
  ): Promise<void> {
    this.version++;
    const isRewritten = change.rewritten.length + gone.size + change.insertions.length > 0;
    const { journal } = this;
    const compared = sent.map(comparedTo);
    this.retries = areAlike(this.asked, compared) ? this.retries + 1 : 0;
    this.asked = compared;
    const ids = new Map(Array.from(change.earlier, ([fresh, old]) => [fresh, this.idAt(old)]));
    const idBefore = (index: number) =>
      shownBefore(
        sent.slice(0, index).map((_, at) => ids.get(at)),
        this.transcript,
      );
    const rewriting: Rewriting = {
      rewritten: new Map(change.rewritten.map((index) => [ids.get(index) ?? '', sent[index]!])),
      gone,
      insertions: change.insertions.map(({ from, to, gone: replaced }) => ({
        messages: sent.slice(from, to),
        after: idBefore(from),
        gone: replaced.map((index) => this.idAt(index)),
      })),
    };
    // Lists read only the beginning of a file, and tools may be longer.
    if (this.known.length === 0) await this.giveTitle(sent);
    await journal.append({ type: 'tools', ...toolSet }, evenUnsaved);
    if (isRewritten) {
      const recordId = journal.nextRecordId();
      const createdAt = this.now();
      let created = 0;
      for (const { from, to } of change.insertions)
        for (let index = from; index < to; index++)
          ids.set(index, outputId({ recordId, createdAt }, ++created));
      const { folder, transcript } = journal;
      const { client, ports } = this;
      const { view } = transcript;
      const context = { view, tools: journal.tools, folder, meter: ports.meter, client };
      const task = { recordId, createdAt, ...context };
      const record = await rewritingRecord(rewriting, task);
      const kept = compared.slice(0, change.appendedFrom);
      const known = kept.map((one, index) => ({ ...one, id: ids.get(index) ?? '' }));
      await journal.append(historyEvent(known, transcript, record?.id), evenUnsaved);
      if (record !== undefined) await journal.append({ type: 'compaction', record }, evenUnsaved);
    }
    for (const [index, message] of sent.entries())
      if (index >= change.appendedFrom) ids.set(index, await this.append(message));
    this.known = compared.map((one, index) => ({ ...one, id: ids.get(index) ?? '' }));
  }

  /** Compacts if the next request is too large. A retry is sent unchanged. @returns false if compacting failed */
  async compact(signal: CancellationSignal): Promise<boolean> {
    if (this.retries > 0 || this.ports.settings().mode === 'off') return true;
    const { length } = this.transcript.entries;
    try {
      this.models = await this.ports.models();
      this.fixedTokens = await this.measureFixed();
      await this.compaction.check(signal);
    } catch (error) {
      this.ports.warn(error);
      return false;
    }
    const last = this.transcript.entries.slice(length).at(-1);
    return last?.type !== 'compaction' || !['failed', 'refused'].includes(last.record.status);
  }

  /** Compacts after the endpoint refused a request as too long. @returns true if a retry makes sense */
  async recover(overflow: Overflow, signal: CancellationSignal): Promise<boolean> {
    try {
      return await this.compaction.recoverFromOverflow(overflow, signal);
    } catch (error) {
      this.ports.warn(error);
      return false;
    }
  }

  /** Appends the model's reply, which the client returns with its next request. */
  async replied(reply: SentMessage): Promise<string> {
    this.version++;
    const id = await this.append(reply);
    this.known = [...this.known, { ...comparedTo(reply), id }];
    if (reply.usage !== undefined) this.compaction.noteReported(reply.usage);
    return id;
  }

  /** Records how a request went. */
  async note(event: ExchangeEvent): Promise<void> {
    await this.journal.append(event, evenUnsaved);
  }

  /** Records that a request failed or was stopped. */
  async ended(outcome: 'failed' | 'stopped', error: unknown): Promise<void> {
    await this.journal.append({ type: 'turn', outcome, ...recordedText(phraseOf(error)) }, evenUnsaved);
  }

  /** Returns the index in the client's history of each message of the view, by id, unless a record changed it. */
  get sources(): ReadonlyMap<string, number> {
    const places = new Map(this.known.map(({ id, key }, index) => [id, { key, index }]));
    const unchanged = new Map<string, number>();
    for (const message of this.view) {
      const place = places.get(message.id);
      if (place !== undefined && comparedTo(message).key === place.key)
        unchanged.set(message.id, place.index);
    }
    return unchanged;
  }

  async close(): Promise<void> {
    await this.compaction.stopBackground();
    await this.file.close();
  }

  private async append(message: SentMessage): Promise<string> {
    const id = this.journal.nextMessageId();
    const stamped = { ...message, id, createdAt: this.now() };
    await this.journal.append({ type: 'message', message: stamped }, evenUnsaved);
    return id;
  }

  private async giveTitle(sent: readonly SentMessage[]): Promise<void> {
    const messages = sent.map((message) => ({ ...message, id: '', createdAt: '' }));
    const title = sessionName(messages, '');
    if (title !== '') await this.journal.append({ type: 'title', title }, evenUnsaved);
  }

  private idAt(index: number): string {
    return this.known[index]?.id ?? '';
  }

  private now(): string {
    return new Date(this.ports.now()).toISOString();
  }

  private async measureFixed(): Promise<number> {
    const { meter } = this.ports;
    const isMessage = ({ role }: Message) => role !== 'system' && role !== 'developer';
    const start = this.view.findIndex(isMessage);
    const instructions = await meter.measureEach(this.view.slice(0, Math.max(0, start)));
    return sum([await meter.measureTools(this.journal.tools), ...instructions]).total;
  }

  private widened(settings: CompactionSettings): CompactionSettings {
    const { widened } = this.ports;
    const { budget } = settings;
    const window = Math.ceil(this.fixedTokens / (1 - messageShare));
    if (widened === undefined || budget.window === undefined || window <= budget.window) return settings;
    if (!this.isWidened) widened(this.fixedTokens, window);
    this.isWidened = true;
    return { ...settings, budget: { ...budget, window } };
  }
}

/** Compaction never asks, because the user does not watch the conversation here. */
function unasked(settings: CompactionSettings): CompactionSettings {
  return { ...settings, mode: settings.mode === 'ask' ? 'auto' : settings.mode };
}
