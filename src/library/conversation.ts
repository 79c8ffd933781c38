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

/** The division of the context window. Sizes in tokens; ratios are shares of the window, between 0 and 1. */
export interface ConversationBudget extends Partial<BudgetSettings> {
  /** Everything that a request and its reply may take. */
  readonly window: number;
}

/** The choices for a conversation. */
export interface ConversationSettings {
  readonly strategy: Strategy;
  /** Options of the strategy; what is left out has its default. */
  readonly options?: Readonly<Record<string, unknown>>;
  readonly budget: ConversationBudget;
  /** Writes the summaries of strategies that need a model. */
  readonly model?: SummaryModel;
  /** Schemas that go with every request, so that they are counted. */
  readonly tools?: readonly ToolSchema[];
  /** True to keep the first request of the person in every compaction. */
  readonly protectFirst?: boolean;
  /** The focus of every summary. */
  readonly focus?: string;
  /** Counts in o200k_base, on this thread, unless given. */
  readonly counter?: TextCounter;
  /** The log of an earlier run, to go on from. */
  readonly entries?: readonly TranscriptEntry[];
  /** Stores an entry. It is awaited before the entry counts; if it throws, the entry was never there. */
  readonly onEntry?: (entry: TranscriptEntry) => void | Promise<void>;
  /** Hears of compactions as they happen. */
  readonly onEvent?: (event: CompactionEvent) => void;
  /** Milliseconds since 1970. The clock of the machine unless given. */
  readonly now?: () => number;
}

/** One compaction on request; what is left out is as in the settings of the conversation. */
export interface CompactionChoice {
  readonly strategy?: Strategy;
  /** Options of the strategy. */
  readonly options?: Readonly<Record<string, unknown>>;
  /** Instructions on what to keep in mind. */
  readonly focus?: string;
}

/** Thrown if a history no longer begins with what the conversation already has. */
export class ChangedHistoryError extends Error {
  override readonly name = 'ChangedHistoryError';
  /** Index of the first message that differs, or that is missing. */
  readonly index: number;

  constructor(index: number) {
    super(
      `Message ${index} of the history is not the one that the conversation has. A history only grows; start another conversation for a changed one.`,
    );
    this.index = index;
  }
}

/**
 * A conversation with its compactions. It is a log that only grows: messages, records of compactions, and undos. The
 * view, the messages to send, follows from it.
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
   * @throws {RangeError} if the window is not a positive number, or a ratio not between 0 and 1
   * @throws {TypeError} if the strategy is none, does not have one of the options, or not with this value
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

  /** The whole log, oldest first, as plain data: what to store, and to pass as `entries` later. */
  get entries(): readonly TranscriptEntry[] {
    return this.transcript.entries;
  }

  /** The messages to send, without compacting first. */
  get view(): readonly Message[] {
    return this.transcript.view;
  }

  /** Every message as it was said, whatever compactions did to the view. */
  get history(): readonly Message[] {
    return messagesOf(this.transcript);
  }

  /** Every attempt at a compaction, oldest first. */
  get records(): readonly CompactionRecord[] {
    return recordsOf(this.transcript);
  }

  /**
   * Adds messages at the end. Append the results of all calls of a reply before the next `fit`.
   *
   * @returns the messages as the conversation has them
   * @throws {TypeError} if one is not a chat message; then none is added
   */
  async append(...inputs: readonly OpenaiInput[]): Promise<readonly Message[]> {
    // All are read before any is written.
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
   * Adds what is new in a history that a caller keeps itself.
   *
   * @param history all messages, oldest first
   * @throws {ChangedHistoryError} if it does not begin with the messages that the conversation has
   * @throws {TypeError} if a message is not a chat message; then none is added
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
   * Compacts if the next request calls for it. Call it before every request.
   *
   * @returns the messages to send
   */
  async fit(signal: CancellationSignal = new Stopper()): Promise<readonly Message[]> {
    await this.service.check(signal);
    return this.view;
  }

  /**
   * Compacts now.
   *
   * @returns the record, whatever came of it: only with the status `applied` did the view change
   * @throws {TypeError} if the strategy is none, does not have one of the options, or not with this value
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
   * Takes a compaction back, and with it those that built on it. Everything said since stays.
   *
   * @returns the compactions that were undone, oldest first
   * @throws {TranscriptError} if the compaction is not in force
   */
  undo(recordId: string): Promise<readonly CompactionRecord[]> {
    return this.service.undo(recordId);
  }

  /**
   * Brings a message back as it was said, with the rest of its exchange where that is not in the view.
   *
   * @returns ids of the messages that came back
   * @throws {TranscriptError} if there is no such message
   */
  restore(messageId: string): Promise<readonly string[]> {
    return this.service.restore(messageId);
  }

  /**
   * Keeps a message through all later compactions, or no longer.
   *
   * @throws {TranscriptError} if there is no such message
   */
  async pin(messageId: string, pinned = true): Promise<void> {
    const createdAt = this.time();
    await this.write(() => ({ type: 'pin', createdAt, messageIds: [messageId], pinned }));
  }

  /**
   * The effect of a compaction, message by message, in the order of the view it was made for.
   *
   * @returns nothing if there is no such record
   */
  diff(recordId: string): readonly DiffRow[] {
    const record = this.records.find(({ id }) => id === recordId);
    return record === undefined ? [] : diffOf(record, viewBefore(this.entries, recordId));
  }

  /** Tokens of the next request, by kind, counted. */
  usage(): Promise<Usage> {
    return this.service.usage();
  }

  /** Notes what the provider reported for the last request, so that estimates start from its count. */
  noteUsage(usage: ReportedUsage): void {
    this.service.noteReported(usage);
  }

  /**
   * Compacts after a provider refused a request as too long.
   *
   * @param overflow the limit and the size of the request, in the provider's tokens, if it named them
   * @returns true if the view is smaller now, so that one more try makes sense
   */
  recover(overflow: Partial<Overflow> = {}, signal: CancellationSignal = new Stopper()): Promise<boolean> {
    const { limit, actual } = overflow;
    return this.service.recoverFromOverflow({ limit, actual }, signal);
  }

  /** One entry at a time: stored, then part of the log. */
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
 * Checks that types would check.
 *
 * @throws {TypeError | RangeError}
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

/** @throws {TypeError} */
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

/** The highest n among the ids `m<n>`. */
function highestNumber(messages: readonly Message[]): number {
  return messages.reduce((top, { id }) => Math.max(top, Number(/^m(\d{1,9})$/.exec(id)?.[1] ?? 0)), 0);
}

/** True if both say the same. The time, and fields that only one side knows of, do not count. */
function isSame(one: Message, other: Message): boolean {
  return contentOf(one) === contentOf(other);
}

function contentOf({ role, content, name, tool_calls: calls, tool_call_id: callId }: Message): string {
  // As it would be stored: a URL, for example, is its text then.
  const stored: unknown = JSON.parse(JSON.stringify([role, content, name, calls, callId]));
  return JSON.stringify(sorted(stored));
}

/** The same value with the keys of its objects in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
