import { shownStrategies } from '../compaction/records/custom-strategy-title.ts';
import {
  callerOfStandIn,
  repairPairs,
  withoutStandIns,
  interruptedResultText,
} from '../compaction/messages/exchange.ts';
import { applyRecord, bringsCallBack, unpairedView } from '../compaction/transcript/view.ts';
import {
  type Kind,
  type Message,
  type ReportedUsage,
  type ToolSchema,
  isBlank,
  kinds,
} from '../compaction/messages/message.ts';
import {
  type CompactionRecord,
  type RecordStatus,
  rewrittenId,
  type TriggerStart,
} from '../compaction/records/record.ts';
import { sum, type Usage, type UsageMeter, emptyUsage, framingTokens } from '../compaction/tokens/usage.ts';
import {
  type ToolHistory,
  toolsAt,
  type TranscriptEntry,
} from '../compaction/transcript/transcript-entry.ts';
import { type BreakPlace, breakPlace } from './break-place.ts';
import { type DifferenceCause, eventCause, pieceAt, toolCause } from './request-difference.ts';
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
  /** Present if the request does not begin with the whole previous request. */
  readonly broken?: BrokenPrefix;
  readonly reported?: ReportedUsage;
  /** Id of the model that answered, if recorded. */
  readonly modelId?: string;
}

/** The reason why a request does not begin with the previous request. */
interface BrokenPrefix {
  readonly cause: Exclude<DifferenceCause, { type: 'none' }>;
  /** The tool or message that differs, if both requests have a version of it. */
  readonly place?: BreakPlace;
  /** Tokens after the first difference, without those of new messages. */
  readonly tokens: number;
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
  /** Ids of the messages since the last request, which begin with its reply. */
  private arrived = new Set<string>();
  /** Changes of the last request's view, with the number of messages that stayed the same. */
  private changes: { readonly cause: DifferenceCause | undefined; readonly alike: number }[] = [];
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
        this.arrived.add(entry.message.id);
        if (bringsCallBack(entries, this.read, this.unpaired)) {
          await this.replace(unpairedView(entries.slice(0, this.read + 1)), entry);
        } else this.append(entry, usages.get(entry.message)!);
      } else if (entry.type !== 'pin' && entry.type !== 'mark') {
        this.addEvent(entry);
        if (entry.type !== 'compaction') {
          await this.replace(unpairedView(entries.slice(0, this.read + 1)), entry);
        } else if (entry.record.status === 'applied') {
          const view = repairPairs(this.unpaired);
          await this.replace(withoutStandIns(applyRecord(view, entry.record)), entry);
        }
      }
      if (entry.type !== 'compaction') this.overflow = undefined;
    }
    return { calls: [...this.calls], events: [...this.events] };
  }

  private append(entry: Extract<TranscriptEntry, { type: 'message' }>, usage: Usage): void {
    const { message } = entry;
    const isLate = this.tally.append(message, usage, this.calls.length);
    if (isLate) this.rememberSent();
    this.unpaired.push(message);
    if (isLate) this.noteChange(entry);
  }

  private async replace(messages: readonly Message[], entry: TranscriptEntry): Promise<void> {
    this.rememberSent();
    const usages = await this.meter.measureEach(messages);
    this.tally.clear();
    this.unpaired = [];
    messages.forEach((message, index) => {
      this.tally.append(message, usages[index]!, this.calls.length);
      this.unpaired.push(message);
    });
    this.noteChange(entry);
  }

  private noteChange(entry: TranscriptEntry): void {
    const cause = eventCause(entry);
    // Only the first of several late results is compared, because each comparison reads the whole view.
    if (cause?.type === 'late-result' && this.changes.at(-1)?.cause?.type === cause.type) return;
    const alike = messagesAlike(this.previous ?? [], repairPairs(this.unpaired));
    this.changes.push({ cause, alike });
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
      ...(await this.comparison(tools, modelId, total)),
      ...(reported === undefined ? {} : { reported }),
      ...(modelId === undefined ? {} : { modelId }),
      ...(this.firstId === undefined ? {} : { firstId: this.firstId }),
    });
    this.firstId = undefined;
    this.sent = this.unpaired.length;
    this.previous = undefined;
    this.tools = tools;
    this.arrived = new Set();
    this.changes = [];
  }

  /** Compares a request with the previous one. */
  private async comparison(
    tools: readonly ToolSchema[],
    modelId: string | undefined,
    total: number,
  ): Promise<Pick<TimelineCall, 'keptTokens' | 'broken'>> {
    const last = this.calls.at(-1);
    if (last === undefined || this.tools === undefined) return { keptTokens: 0 };
    const isOther = isOtherModel(last.modelId, modelId);
    const isSameTools = haveSameTools(this.tools, tools);
    if (!isOther && isSameTools && this.previous === undefined) return { keptTokens: last.tokens };
    this.rememberSent();
    const [before, after] = [
      { tools: this.tools, view: this.previous ?? [] },
      { tools, view: repairPairs(this.unpaired) },
    ];
    const alikeTools = toolsAlike(before.tools, tools);
    const alike = isSameTools ? messagesAlike(before.view, after.view) : 0;
    const keptTools = await this.meter.measureTools(tools.slice(0, alikeTools));
    const kept = await this.meter.measure(after.view.slice(0, alike));
    const keptTokens = isOther ? 0 : keptTools.total + kept.total;
    const cause = this.causeOf(last.modelId, modelId, tools, alike);
    if (cause === undefined || (alike === before.view.length && !isOther && isSameTools))
      return { keptTokens };
    const isNew = (message: Message, index: number) =>
      (isOther || index >= alike) && this.arrived.has(callerOfStandIn(message) ?? message.id);
    const news = await this.meter.measure(after.view.filter(isNew));
    const at = alikeTools + alike;
    const place = isVersioned(cause) ? breakPlace(pieceAt(before, at), pieceAt(after, at)) : undefined;
    const tokens = Math.max(0, total - keptTokens - news.total);
    return { keptTokens, broken: { cause, tokens, ...(place === undefined ? {} : { place }) } };
  }

  private causeOf(
    before: string | undefined,
    after: string | undefined,
    tools: readonly ToolSchema[],
    alike: number,
  ): BrokenPrefix['cause'] | undefined {
    if (isOtherModel(before, after)) return { type: 'model', before: before ?? '', after: after ?? '' };
    if (!haveSameTools(this.tools ?? [], tools)) return toolCause(this.tools ?? [], tools);
    // The first event that shortened the common beginning to its final length.
    const cause = this.changes.find((change) => change.alike <= alike)?.cause;
    return cause?.type === 'none' ? undefined : cause;
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

/** True for changes of tools, and of messages that a client changed. Both requests may have a version of them. */
function isVersioned(cause: DifferenceCause): boolean {
  return cause.type === 'tools' || (cause.type === 'compaction' && cause.strategy === rewrittenId);
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
