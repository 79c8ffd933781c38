import { shownStrategies } from '../compaction/records/own-title.ts';
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

/** The reason why a request does not begin with the one before it. */
export type DifferenceCause =
  /** It does, so a prompt cache could serve all of the one before. */
  | { readonly type: 'none' }
  /** Another model answered. Models share no cache. */
  | { readonly type: 'model'; readonly before: string; readonly after: string }
  | ToolCause
  /** Includes what a person hid or left out, which has a strategy of its own. */
  | { readonly type: 'compaction'; readonly recordId: string; readonly strategy: string }
  | { readonly type: 'undo'; readonly recordIds: readonly string[] }
  | { readonly type: 'restore'; readonly messageIds: readonly string[] }
  /** A result came after a request had been sent without it. */
  | { readonly type: 'late-result'; readonly messageId: string };

/** A change of the tool list; all names by what happened to the tool. */
interface ToolCause {
  readonly type: 'tools';
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** With another description or other parameters. */
  readonly changed: readonly string[];
  /** With the same content in another order of its fields. */
  readonly reordered: readonly string[];
}

/** The place from which on a request differs from the one before it. All sizes in tokens. */
export interface RequestDifference {
  readonly cause: DifferenceCause;
  /** Number of pieces, tools first, that both requests begin with. */
  readonly alike: number;
  /** The first piece that differs, in each request; undefined where a request has ended. */
  readonly before: RequestPiece | undefined;
  readonly after: RequestPiece | undefined;
  /** All that a prompt cache can serve of the later request. */
  readonly keptTokens: number;
  /** Of the later request, everything else but new messages: written to the cache a second time, or by a compaction. */
  readonly againTokens: number;
  /** Messages of the later request that came after the earlier one. */
  readonly newTokens: number;
  readonly newMessages: readonly Message[];
}

/**
 * Finds the first difference between a request and the one before it, and what caused it.
 *
 * @param entries of the transcript that the requests were taken from
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

/** A request that has no more tools goes on with its messages. */
function pieceAt({ tools, view }: SentRequest, at: number): RequestPiece | undefined {
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
  // The event that first cut the common beginning down to what is left of it.
  for (let end = before.entry + 1; end <= after.entry; end++) {
    const event = eventCause(entries[end - 1]);
    if (event !== undefined && messagesAlike(before.view, project(entries.slice(0, end))) <= messages) {
      return event;
    }
  }
  return { type: 'none' };
}

/** The cause that an entry is if the view changed with it; a message that is only appended changes nothing. */
function eventCause(entry: TranscriptEntry | undefined): DifferenceCause | undefined {
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

function toolCause(before: readonly ToolSchema[], after: readonly ToolSchema[]): ToolCause {
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

/** A value with the fields of all objects in it in one order. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(fields.map(([name, field]) => [name, sorted(field)]));
}
