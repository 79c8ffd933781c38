import { shownStrategies } from '../compaction/records/custom-strategy-title.ts';
import { repairPairs, withoutStandIns, interruptedResultText } from '../compaction/messages/exchange.ts';
import { applyRecord, bringsCallBack, unpairedView } from '../compaction/transcript/view.ts';
import {
  type Kind,
  type Message,
  type ReportedUsage,
  type ToolSchema,
  isBlank,
  kinds,
} from '../compaction/messages/message.ts';
import type { CompactionRecord, RecordStatus, TriggerStart } from '../compaction/records/record.ts';
import { sum, type Usage, type UsageMeter, emptyUsage, framingTokens } from '../compaction/tokens/usage.ts';
import {
  type ToolHistory,
  toolsAt,
  type TranscriptEntry,
} from '../compaction/transcript/transcript-entry.ts';
import { haveSameTools, isOtherModel, messagesAlike, toolsAlike } from './sent-request.ts';

/** A request of the agent that a model answered. All sizes are in tokens. */
export interface TimelineCall {
  /** Id of the reply. */
  readonly messageId: string;
  /** Id of the first message after the previous request, except tool results; absent if that is the reply. */
  readonly firstId?: string;
  /** Time of the reply, ISO 8601. */
  readonly createdAt: string;
  /** Counted tokens of the view and the tool schemas. */
  readonly tokens: number;
  readonly byKind: Readonly<Record<Kind, number>>;
  /** Tokens at the beginning that equal the previous request. A prompt cache can serve no more than these. */
  readonly keptTokens: number;
  readonly reported?: ReportedUsage;
  /** Id of the model that answered, if recorded. */
  readonly modelId?: string;
}

/** An event between two requests. */
export type TimelineEvent = {
  /** Number of requests sent before the event, which is the index of the next request. */
  readonly atCall: number;
} & (CompactionEvent | OverflowEvent | UndoEvent | RestoreEvent);

interface CompactionEvent {
  readonly type: 'compaction';
  readonly recordId: string;
  readonly status: RecordStatus;
  readonly strategy: string;
  /** Start of the compaction; absent if the user asked for it, and in records of earlier versions. */
  readonly start?: TriggerStart;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** A request that was too long for the window. The compactions that followed have separate events. */
interface OverflowEvent {
  readonly type: 'overflow';
  /** Id of the first compaction that the overflow caused. */
  readonly recordId: string;
  readonly tokens: number;
}

interface UndoEvent {
  readonly type: 'undo';
  readonly recordIds: readonly string[];
}

interface RestoreEvent {
  readonly type: 'restore';
  readonly messageIds: readonly string[];
}

export interface Timeline {
  readonly calls: readonly TimelineCall[];
  readonly events: readonly TimelineEvent[];
}

/**
 * Continues reading a transcript where the last call stopped.
 *
 * @param entries entries of the same transcript, which grows from call to call
 */
export type TimelineReader = (entries: readonly TranscriptEntry[]) => Promise<Timeline>;

/**
 * Creates a reader of a session's requests and the events between them. While the view grows, each new message costs
 * one addition. After a compaction, an undo or a restored message, the view is summed again.
 *
 * @param tools tools of the session's requests
 */
export function createTimeline(meter: UsageMeter, tools: ToolHistory): TimelineReader {
  let walk: Promise<Walk> | undefined;
  return (entries) => {
    const started = walk ?? Walk.create(meter, tools);
    const read = started.then((ready) => ready.readOn(entries));
    // Calls run one after another. After a failure, reading starts over.
    walk = read.then(
      () => started,
      () => Walk.create(meter, tools),
    );
    return read;
  };
}

class Walk {
  private readonly calls: TimelineCall[] = [];
  private readonly events: TimelineEvent[] = [];
  private read = 0;
  private unpaired: Message[] = [];
  /** Number of messages of `unpaired` in the last request, if messages were only appended since then. */
  private sent = 0;
  /** The last request's view, if there were other changes since then. */
  private previous: readonly Message[] | undefined;
  private overflow: CompactionRecord | undefined;
  /** Id of the first message, other than results, since the last request. */
  private firstId: string | undefined;
  private readonly meter: UsageMeter;
  private readonly history: ToolHistory;
  /** Tools of the last request. */
  private tools: readonly ToolSchema[] | undefined;
  private readonly tally: ViewTally;

  private constructor(meter: UsageMeter, history: ToolHistory, tally: ViewTally) {
    this.meter = meter;
    this.history = history;
    this.tally = tally;
  }

  static async create(meter: UsageMeter, history: ToolHistory): Promise<Walk> {
    return new Walk(meter, history, await ViewTally.create(meter));
  }

  async readOn(entries: readonly TranscriptEntry[]): Promise<Timeline> {
    const messages = entries
      .slice(this.read)
      .flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
    const usages = new Map((await this.meter.measureEach(messages)).map((usage, i) => [messages[i], usage]));
    for (; this.read < entries.length; this.read++) {
      const entry = entries[this.read]!;
      if (entry.type === 'message') {
        if (entry.message.role === 'assistant') await this.call(entry.message);
        else if (entry.message.role !== 'tool') this.firstId ??= entry.message.id;
        if (bringsCallBack(entries, this.read, this.unpaired)) {
          await this.replace(unpairedView(entries.slice(0, this.read + 1)));
        } else this.append(entry.message, usages.get(entry.message)!);
      } else if (entry.type !== 'pin' && entry.type !== 'mark') {
        this.addEvent(entry);
        if (entry.type !== 'compaction') await this.replace(unpairedView(entries.slice(0, this.read + 1)));
        else if (entry.record.status === 'applied') {
          const view = repairPairs(this.unpaired);
          await this.replace(withoutStandIns(applyRecord(view, entry.record)));
        }
      }
      if (entry.type !== 'compaction') this.overflow = undefined;
    }
    return { calls: [...this.calls], events: [...this.events] };
  }

  private append(message: Message, usage: Usage): void {
    const isLate = this.tally.append(message, usage, this.calls.length);
    if (isLate) this.rememberSent();
    this.unpaired.push(message);
  }

  private async replace(messages: readonly Message[]): Promise<void> {
    this.rememberSent();
    const usages = await this.meter.measureEach(messages);
    this.tally.clear();
    this.unpaired = [];
    messages.forEach((message, index) => {
      this.tally.append(message, usages[index]!, this.calls.length);
      this.unpaired.push(message);
    });
  }

  private rememberSent(): void {
    this.previous ??= repairPairs(this.unpaired.slice(0, this.sent));
  }

  private async call({ id, createdAt, usage: reported, modelId }: Message): Promise<void> {
    const tools = toolsAt(this.history, this.read);
    const { total, byKind } = sum([await this.meter.measureTools(tools), this.tally.usage]);
    this.calls.push({
      messageId: id,
      createdAt,
      tokens: total,
      byKind,
      keptTokens: await this.keptTokens(tools, modelId),
      ...(reported === undefined ? {} : { reported }),
      ...(modelId === undefined ? {} : { modelId }),
      ...(this.firstId === undefined ? {} : { firstId: this.firstId }),
    });
    this.firstId = undefined;
    this.sent = this.unpaired.length;
    this.previous = undefined;
    this.tools = tools;
  }

  private async keptTokens(tools: readonly ToolSchema[], modelId: string | undefined): Promise<number> {
    const last = this.calls.at(-1);
    if (last === undefined || this.tools === undefined || isOtherModel(last.modelId, modelId)) return 0;
    if (!haveSameTools(this.tools, tools)) {
      return (await this.meter.measureTools(tools.slice(0, toolsAlike(this.tools, tools)))).total;
    }
    if (this.previous === undefined) return last.tokens;
    const view = repairPairs(this.unpaired);
    const kept = view.slice(0, messagesAlike(this.previous, view));
    return (await this.meter.measureTools(tools)).total + (await this.meter.measure(kept)).total;
  }

  private addEvent(entry: Exclude<TranscriptEntry, { type: 'message' | 'pin' | 'mark' }>): void {
    const atCall = this.calls.length;
    if (entry.type === 'undo') {
      this.events.push({ atCall, type: 'undo', recordIds: entry.recordIds });
    } else if (entry.type === 'restore') {
      this.events.push({ atCall, type: 'restore', messageIds: entry.messageIds });
    } else {
      const { record } = entry;
      const { id: recordId, status, before, after, trigger } = record;
      const { actualStrategy: strategy } = shownStrategies(record);
      const isOverflow = trigger.source === 'overflow';
      // Each tier after an overflow has a record, but only one request was too long.
      if (isOverflow && this.overflow?.trigger.tokens !== trigger.tokens) {
        this.events.push({ atCall, type: 'overflow', recordId, tokens: trigger.tokens });
      }
      this.overflow = isOverflow ? record : undefined;
      this.events.push({
        atCall,
        type: 'compaction',
        recordId,
        status,
        strategy,
        ...(trigger.start === undefined ? {} : { start: trigger.start }),
        tokensBefore: before.tokens,
        tokensAfter: after.tokens,
      });
    }
  }
}

/**
 * Tokens of a view by kind, updated message by message. It includes the changes that `repairPairs` makes, without
 * reading the whole view again.
 */
class ViewTally {
  private readonly spent: Record<Kind, number> = { ...emptyUsage.byKind };
  /** Call id → number of requests sent before each unanswered call with that id, newest last. */
  private readonly open = new Map<string, number[]>();
  private unanswered = 0;
  private readonly standInTokens: number;

  private constructor(standInTokens: number) {
    this.standInTokens = standInTokens;
  }

  static async create(meter: UsageMeter): Promise<ViewTally> {
    return new ViewTally(framingTokens + (await meter.countText(interruptedResultText)));
  }

  /**
   * @param request number of requests sent so far
   * @returns true if the message is a result that arrives after a request was sent without it, which changes earlier
   * content
   */
  append(message: Message, usage: Usage, request: number): boolean {
    if (message.role === 'tool') {
      const since = this.open.get(message.tool_call_id ?? '')?.pop();
      if (since === undefined) return false;
      this.unanswered--;
      this.add(usage);
      return since < request;
    }
    const calls = message.tool_calls ?? [];
    if (calls.length === 0 && isBlank(message.content)) return false;
    for (const { id } of calls) {
      const waiting = this.open.get(id);
      if (waiting === undefined) this.open.set(id, [request]);
      else waiting.push(request);
    }
    this.unanswered += calls.length;
    this.add(usage);
    return false;
  }

  /** Starts again with an empty view. */
  clear(): void {
    for (const kind of kinds) this.spent[kind] = 0;
    this.open.clear();
    this.unanswered = 0;
  }

  /** Usage of the current view, with a result or a stand-in for every call. */
  get usage(): Usage {
    const byKind = { ...this.spent };
    byKind.toolResult += this.unanswered * this.standInTokens;
    return { total: kinds.reduce((total, kind) => total + byKind[kind], 0), byKind };
  }

  private add({ byKind }: Usage): void {
    for (const kind of kinds) this.spent[kind] += byKind[kind];
  }
}
