import { type BudgetSettings, defaultTargetRatio, defaultTriggerRatio } from '../compaction/budget/budget.ts';
import type { Message, ReportedUsage, ToolSchema } from '../compaction/messages/message.ts';
import { type DiffRow, diffOf } from '../compaction/records/compaction-diff.ts';
import type { CompactionRecord } from '../compaction/records/record.ts';
import { CompactionService } from '../compaction/service/service.ts';
import type { CompactionEvent, Overflow } from '../compaction/service/service-ports.ts';
import { type CancellationSignal, Stopper } from '../compaction/signals/cancellation.ts';
import { type OptionSchema, resolveOptions } from '../compaction/strategies/contract/options.ts';
import type { Strategy } from '../compaction/strategies/contract/strategy.ts';
import type { SummaryModel } from '../compaction/summary/summary-model.ts';
import type { TextCounter } from '../compaction/tokens/token-counter.ts';
import { type Usage, UsageMeter } from '../compaction/tokens/usage.ts';
import {
  append,
  messagesOf,
  nextRecordIds,
  recordsOf,
  type Transcript,
  transcriptOf,
} from '../compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';
import { viewBefore } from '../compaction/transcript/view.ts';
import { isRecord } from '../language/is-record.ts';
import { fromOpenai, type OpenaiInput } from './openai-messages.ts';
import { textCounter } from './token-counting.ts';

/** The division of the context window. Sizes are in tokens; ratios are shares of the window, between 0 and 1. */
export interface ConversationBudget extends Partial<BudgetSettings> {
  /** Maximum tokens of a request and its reply together. */
  readonly window: number;
}

/** The settings of a conversation. */
export interface ConversationSettings {
  readonly strategy: Strategy;
  /** Options of the strategy; missing options have their defaults. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly budget: ConversationBudget;
  /** Model that writes summaries, for strategies that need a model. */
  readonly model?: SummaryModel;
  /** Schemas that are sent, and therefore counted, with every request. */
  readonly tools?: readonly ToolSchema[];
  /** True to keep the user's first request in every compaction. */
  readonly protectFirst?: boolean;
  /** The focus of every summary. */
  readonly focus?: string;
  /** Counter of tokens; by default o200k_base, on this thread. */
  readonly counter?: TextCounter;
  /** Log of an earlier run to continue. */
  readonly entries?: readonly TranscriptEntry[];
  /** Stores an entry. The entry counts only after this call succeeds; if it throws, the entry is discarded. */
  readonly onEntry?: (entry: TranscriptEntry) => void | Promise<void>;
  /** Called for every event of a compaction. */
  readonly onEvent?: (event: CompactionEvent) => void;
  /** Returns the time in milliseconds since 1970; by default from the machine's clock. */
  readonly now?: () => number;
}

/** Options of one requested compaction. Missing options are taken from the conversation. */
export interface CompactionChoice {
  readonly strategy?: Strategy;
  /** Options of the strategy. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Subject that the summary keeps in most detail. */
  readonly focus?: string;
}

/** Error for a history that no longer begins with the messages of the conversation. */
export class ChangedHistoryError extends Error {
  override readonly name = 'ChangedHistoryError';
  /** Index of the first message that differs or is missing. */
  readonly index: number;

  constructor(index: number) {
    super(
      `Message ${index} of the history is not the one that the conversation has. A history only grows; start another conversation for a changed one.`,
    );
    this.index = index;
  }
}

/**
 * A conversation with its compactions. It is an append-only log of messages, records of compactions, and undos. The
 * context, that is, the messages to send, is derived from the log.
 *
 * ```ts
 * const conversation = new Conversation({ strategy: toolResultHiding, budget: { window: 128_000 } });
 * await conversation.append({ role: 'user', content: 'Why does the build fail?' });
 * const view = await conversation.fit();
 * const reply = await client.chat.completions.create({ model, messages: view.map(toOpenai) });
 * await conversation.append(reply.choices[0].message);
 * ```
 */
export class Conversation {
  private transcript: Transcript;
  private readonly service: CompactionService;
  private readonly settings: ConversationSettings;
  private readonly now: () => number;
  private messages: number;
  private writing: Promise<unknown> = Promise.resolve();

  /**
   * @throws {RangeError} if the window is not a positive number, or a ratio is not between 0 and 1
   * @throws {TypeError} if the strategy is invalid, or one of its options is unknown or has an invalid value
   * @throws {TranscriptError} if the entries are not a log
   */
  constructor(settings: ConversationSettings) {
    checkSettings(settings);
    const { strategy, budget, model, tools = [], counter = textCounter(), entries = [] } = settings;
    const options = checkedOptions(strategy, settings.options);
    this.settings = settings;
    this.now = settings.now ?? Date.now;
    this.transcript = transcriptOf(entries);
    this.messages = highestNumber(messagesOf(this.transcript));
    const transcript = () => this.transcript;
    const meter = new UsageMeter(counter, { countsReasoning: true });
    this.service = new CompactionService(
      {
        get transcript() {
          return transcript();
        },
        tools,
        append: (entry) => this.write(() => entry).then(() => {}),
      },
      { meter, model: () => model, clock: { now: this.now }, nextRecordId: nextRecordIds(this.transcript) },
      () => ({
        strategy,
        options,
        budget: { triggerRatio: defaultTriggerRatio, targetRatio: defaultTargetRatio, ...budget },
        mode: 'auto',
        protectFirst: settings.protectFirst ?? false,
        focus: settings.focus,
      }),
      settings.onEvent,
    );
  }

  /** The whole log, oldest first, as plain data to be stored and passed as `entries` later. */
  get entries(): readonly TranscriptEntry[] {
    return this.transcript.entries;
  }

  /** The messages to send, without compacting first. */
  get view(): readonly Message[] {
    return this.transcript.view;
  }

  /** Every original message, regardless of compactions. */
  get history(): readonly Message[] {
    return messagesOf(this.transcript);
  }

  /** Every attempt at a compaction, oldest first. */
  get records(): readonly CompactionRecord[] {
    return recordsOf(this.transcript);
  }

  /**
   * Adds messages at the end. Append the results of all calls of a reply before the next `fit`.
   * @returns the messages in the conversation's format
   * @throws {TypeError} if an input is not a chat message; then no message is added
   */
  async append(...inputs: readonly OpenaiInput[]): Promise<readonly Message[]> {
    // All inputs are checked before any message is written.
    for (const input of inputs) this.read(input, 'm0');
    const added: Message[] = [];
    for (const input of inputs) {
      const entry = await this.write(() => ({
        type: 'message',
        message: this.read(input, `m${++this.messages}`),
      }));
      added.push(entry.message);
    }
    return added;
  }

  /**
   * Adds the new messages of a history that the caller manages.
   * @param history all messages, oldest first
   * @throws {ChangedHistoryError} if the history does not begin with the messages of the conversation
   * @throws {TypeError} if a message is not a chat message; then no message is added
   */
  async follow(history: readonly OpenaiInput[]): Promise<void> {
    if (!isList(history)) throw new TypeError('A history must be an array of chat messages, oldest first.');
    const known = this.history;
    for (const [index, message] of known.entries()) {
      const theirs = history[index];
      if (theirs === undefined || !isSame(this.read(theirs, message.id), message)) {
        throw new ChangedHistoryError(index);
      }
    }
    await this.append(...history.slice(known.length));
  }

  /**
   * Compacts if the next request reaches the trigger. Call it before every request.
   * @returns the messages to send
   */
  async fit(signal: CancellationSignal = new Stopper()): Promise<readonly Message[]> {
    await this.service.check(signal);
    return this.view;
  }

  /**
   * Compacts now.
   * @returns the record of the attempt; the context has changed only if its status is `applied`
   * @throws {TypeError} if the strategy is invalid, or one of its options is unknown or has an invalid value
   */
  async compact(
    choice: CompactionChoice = {},
    signal: CancellationSignal = new Stopper(),
  ): Promise<CompactionRecord> {
    const { strategy = this.settings.strategy, focus } = choice;
    const isOther = choice.strategy !== undefined || choice.options !== undefined;
    const options = isOther ? checkedOptions(strategy, choice.options) : undefined;
    return this.service.compactNow({ strategy, options, focus }, signal);
  }

  /**
   * Undoes a compaction and all compactions built on it. All later messages stay.
   * @returns the undone compactions, oldest first
   * @throws {TranscriptError} if the compaction is not in force
   */
  undo(recordId: string): Promise<readonly CompactionRecord[]> {
    return this.service.undo(recordId);
  }

  /**
   * Restores the original of a message, and the rest of its exchange if the rest is also out of context.
   * @returns ids of the restored messages
   * @throws {TranscriptError} if the message is missing
   */
  restore(messageId: string): Promise<readonly string[]> {
    return this.service.restore(messageId);
  }

  /**
   * Pins a message, so that all later compactions keep it, or unpins it.
   * @throws {TranscriptError} if the message is missing
   */
  async pin(messageId: string, pinned = true): Promise<void> {
    const createdAt = this.time();
    await this.write(() => ({ type: 'pin', createdAt, messageIds: [messageId], pinned }));
  }

  /**
   * Returns the effect of a compaction on each message of the context before it.
   * @returns an empty list for an unknown record
   */
  diff(recordId: string): readonly DiffRow[] {
    const record = this.records.find(({ id }) => id === recordId);
    return record === undefined ? [] : diffOf(record, viewBefore(this.entries, recordId));
  }

  /** Returns the tokens of the next request by kind, as counted here. */
  usage(): Promise<Usage> {
    return this.service.usage();
  }

  /** Notes the provider's report on the last request, so that estimates start from the reported count. */
  noteUsage(usage: ReportedUsage): void {
    this.service.noteReported(usage);
  }

  /**
   * Compacts after a provider has refused a request as too long.
   * @param overflow the limit and the size of the request in the provider's tokens, if reported
   * @returns true if the context is smaller now, so that the request is worth repeating
   */
  recover(overflow: Partial<Overflow> = {}, signal: CancellationSignal = new Stopper()): Promise<boolean> {
    const { limit, actual } = overflow;
    return this.service.recoverFromOverflow({ limit, actual }, signal);
  }

  /** Stores an entry and then adds it to the log. Entries are written one at a time. */
  private write<Entry extends TranscriptEntry>(make: () => Entry): Promise<Entry> {
    const work = async () => {
      const entry = make();
      const next = append(this.transcript, entry);
      await this.settings.onEntry?.(entry);
      this.transcript = next;
      return entry;
    };
    const written = this.writing.then(work, work);
    this.writing = written.catch(() => {});
    return written;
  }

  private read(input: OpenaiInput, id: string): Message {
    return fromOpenai(input, { id, createdAt: this.time() });
  }

  private time(): string {
    return new Date(this.now()).toISOString();
  }
}

const ratios = ['triggerRatio', 'targetRatio', 'backgroundRatio'] as const;
const entryTypes: ReadonlySet<unknown> = new Set(['message', 'compaction', 'undo', 'restore', 'pin', 'mark']);

/**
 * Checks settings from callers without type checks.
 * @throws {TypeError} if a setting has an invalid type
 * @throws {RangeError} if a number is out of range
 */
function checkSettings(settings: unknown): void {
  const { budget, entries = [] } = isRecord(settings) ? settings : {};
  if (!isRecord(budget)) {
    throw new TypeError(
      'A conversation needs a strategy and a budget, such as { strategy: ladder, budget: { window: 128_000 } }.',
    );
  }
  const { window } = budget;
  if (typeof window !== 'number' || !(window > 0)) {
    throw new RangeError('The window must be a positive number of tokens.');
  }
  for (const name of ratios) {
    const ratio = budget[name];
    if (ratio !== undefined && !(typeof ratio === 'number' && ratio >= 0 && ratio <= 1)) {
      throw new RangeError(`${name} must be a share of the window, between 0 and 1.`);
    }
  }
  if (!isList(entries) || !entries.every((entry) => isRecord(entry) && entryTypes.has(entry['type']))) {
    throw new TypeError('The entries must be the log of a conversation, or what readTranscript returns.');
  }
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

function isStrategy(value: unknown): boolean {
  return isRecord(value) && typeof value['plan'] === 'function' && isRecord(value['options']);
}

/** @throws {TypeError} if the strategy is invalid, or an option is unknown or has an invalid value */
function checkedOptions(
  strategy: Strategy,
  given: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  if (!isStrategy(strategy)) {
    throw new TypeError(
      'A strategy must be one that context-budget/engine exports, such as ladder, or one that defineStrategy made.',
    );
  }
  const { id, options: schema } = strategy;
  const { options, problems } = resolveOptions<OptionSchema>(schema, given);
  const [problem] = problems;
  if (problem !== undefined) throw new TypeError(`Options of ${id}: ${problem.sentence.english}`);
  return options;
}

/** Returns the highest n among the ids `m<n>`. */
function highestNumber(messages: readonly Message[]): number {
  return messages.reduce((top, { id }) => Math.max(top, Number(/^m(\d{1,9})$/.exec(id)?.[1] ?? 0)), 0);
}

/** True if two messages have equal content. The time, and fields of only one side, are ignored. */
function isSame(one: Message, other: Message): boolean {
  return contentOf(one) === contentOf(other);
}

function contentOf({ role, content, name, tool_calls: calls, tool_call_id: callId }: Message): string {
  // Contents are compared in stored form, in which a URL, for example, is a string.
  const stored: unknown = JSON.parse(JSON.stringify([role, content, name, calls, callId]));
  return JSON.stringify(sorted(stored));
}

/** Returns the value with the keys of all objects sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
