import { shownStrategies } from '../compaction/records/custom-strategy-title.ts';
import { callerOfStandIn } from '../compaction/messages/exchange.ts';
import type { Message, ToolSchema } from '../compaction/messages/message.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';
import { project } from '../compaction/transcript/view.ts';
import { isRecord } from '../language/is-record.ts';
import {
  haveSameTools,
  isOtherModel,
  messagesAlike,
  type RequestPair,
  type SentRequest,
  toolsAlike,
} from './sent-request.ts';

/** A part of a request. Providers put the tools before the messages. */
export type RequestPiece =
  | { readonly type: 'tool'; readonly tool: ToolSchema }
  | { readonly type: 'message'; readonly message: Message };

/** Reason why a request does not begin with the previous request. */
export type DifferenceCause =
  /** No difference, so a prompt cache could serve all of the previous request. */
  | { readonly type: 'none' }
  /** Another model answered. Models share no cache. */
  | { readonly type: 'model'; readonly before: string; readonly after: string }
  | ToolCause
  /** A compaction, or messages that the user hid or left out. Both are recorded as compactions. */
  | { readonly type: 'compaction'; readonly recordId: string; readonly strategy: string }
  | { readonly type: 'undo'; readonly recordIds: readonly string[] }
  | { readonly type: 'restore'; readonly messageIds: readonly string[] }
  /** A result arrived after a request had been sent without it. */
  | { readonly type: 'late-result'; readonly messageId: string };

/** A change of the tool list, with the names of the tools by type of change. */
interface ToolCause {
  readonly type: 'tools';
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** Tools with another description or other parameters. */
  readonly changed: readonly string[];
  /** Tools with equal content, but another order of fields. */
  readonly reordered: readonly string[];
}

/** The position at which a request begins to differ from the previous request. All sizes are in tokens. */
export interface RequestDifference {
  readonly cause: DifferenceCause;
  /** Number of equal pieces at the beginning of both requests, tools first. */
  readonly alike: number;
  /** The first piece that differs, in each request; undefined after the end of a request. */
  readonly before: RequestPiece | undefined;
  readonly after: RequestPiece | undefined;
  /** The part of the later request that a prompt cache can serve. */
  readonly keptTokens: number;
  /**
   * The rest of the later request, except new messages: written to the cache again, or new from a compaction.
   */
  readonly againTokens: number;
  /** Messages of the later request that were added after the earlier request. */
  readonly newTokens: number;
  readonly newMessages: readonly Message[];
}

/**
 * Finds the first difference between a request and the previous request, and its cause.
 *
 * @param entries entries of the transcript with both requests
 */
export async function requestDifference(
  pair: RequestPair,
  entries: readonly TranscriptEntry[],
  meter: UsageMeter,
): Promise<RequestDifference> {
  const { before, after } = pair;
  const sameTools = haveSameTools(before.tools, after.tools);
  const tools = toolsAlike(before.tools, after.tools);
  const messages = sameTools ? messagesAlike(before.view, after.view) : 0;
  const changesModel = isOtherModel(before.reply.modelId, after.reply.modelId);
  const since = new Set(messagesSince(pair, entries).map(({ id }) => id));
  const isNew = (message: Message, index: number) =>
    (changesModel || index >= messages) && since.has(callerOfStandIn(message) ?? message.id);
  const total = await tokensOf(after.tools, after.view, meter);
  const newMessages = after.view.filter(isNew);
  const newTokens = (await meter.measure(newMessages)).total;
  const keptTokens = changesModel
    ? 0
    : await tokensOf(
        sameTools ? after.tools : after.tools.slice(0, tools),
        after.view.slice(0, messages),
        meter,
      );
  const at = tools + messages;
  return {
    cause: causeOf(pair, messages, entries),
    alike: at,
    before: pieceAt(before, at),
    after: pieceAt(after, at),
    keptTokens,
    againTokens: Math.max(0, total - keptTokens - newTokens),
    newTokens,
    newMessages,
  };
}

async function tokensOf(
  tools: readonly ToolSchema[],
  messages: readonly Message[],
  meter: UsageMeter,
): Promise<number> {
  return (await meter.measureTools(tools)).total + (await meter.measure(messages)).total;
}

/** Returns the piece at an index. In a request, the messages follow the tools. */
export function pieceAt(
  { tools, view }: Pick<SentRequest, 'tools' | 'view'>,
  at: number,
): RequestPiece | undefined {
  const tool = tools[at];
  if (tool !== undefined) return { type: 'tool', tool };
  const message = view[at - tools.length];
  return message && { type: 'message', message };
}

function entriesBetween({ before, after }: RequestPair, entries: readonly TranscriptEntry[]) {
  return entries.slice(before.entry, after.entry);
}

function messagesSince(pair: RequestPair, entries: readonly TranscriptEntry[]): readonly Message[] {
  return entriesBetween(pair, entries).flatMap((entry) => (entry.type === 'message' ? [entry.message] : []));
}

function causeOf(pair: RequestPair, messages: number, entries: readonly TranscriptEntry[]): DifferenceCause {
  const { before, after } = pair;
  const [one, other] = [before.reply.modelId ?? '', after.reply.modelId ?? ''];
  if (isOtherModel(before.reply.modelId, after.reply.modelId)) {
    return { type: 'model', before: one, after: other };
  }
  if (!haveSameTools(before.tools, after.tools)) return toolCause(before.tools, after.tools);
  if (messages === before.view.length) return { type: 'none' };
  // Finds the first event that shortened the common beginning to its final length.
  for (let end = before.entry + 1; end <= after.entry; end++) {
    const event = eventCause(entries[end - 1]);
    if (event !== undefined && messagesAlike(before.view, project(entries.slice(0, end))) <= messages) {
      return event;
    }
  }
  return { type: 'none' };
}

/** Returns the cause if an entry changed the view; undefined for appended messages. */
export function eventCause(entry: TranscriptEntry | undefined): DifferenceCause | undefined {
  switch (entry?.type) {
    case 'compaction': {
      const { id: recordId, status } = entry.record;
      const { actualStrategy: strategy } = shownStrategies(entry.record);
      return status === 'applied' ? { type: 'compaction', recordId, strategy } : undefined;
    }
    case 'undo':
      return { type: 'undo', recordIds: entry.recordIds };
    case 'restore':
      return { type: 'restore', messageIds: entry.messageIds };
    case 'message':
      return entry.message.role === 'tool' ? { type: 'late-result', messageId: entry.message.id } : undefined;
    default:
      return undefined;
  }
}

/** Compares two lists of tools that differ. */
export function toolCause(before: readonly ToolSchema[], after: readonly ToolSchema[]): ToolCause {
  const [earlier, later] = [before, after].map(
    (tools) => new Map(tools.map((tool) => [tool.function.name, tool])),
  );
  const both = [...later!].flatMap(([name, tool]) => {
    const old = earlier!.get(name);
    return old === undefined || JSON.stringify(old) === JSON.stringify(tool) ? [] : [{ name, old, tool }];
  });
  const isOnlyReordered = ({ old, tool }: (typeof both)[number]) =>
    JSON.stringify(sorted(old)) === JSON.stringify(sorted(tool));
  return {
    type: 'tools',
    added: [...later!.keys()].filter((name) => !earlier!.has(name)),
    removed: [...earlier!.keys()].filter((name) => !later!.has(name)),
    changed: both.filter((change) => !isOnlyReordered(change)).map(({ name }) => name),
    reordered: both.filter(isOnlyReordered).map(({ name }) => name),
  };
}

/** Returns a value with the fields of all its objects sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}
