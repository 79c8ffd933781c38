import type { ReportedUsage } from '../../../compaction/messages/message.ts';
import { isRecord } from '../../../language/is-record.ts';
import type { Fields } from '../../reading/fields.ts';

/** Tokens of a request to a model, as recorded by Cline and Roo Code. */
export interface TaskRequest {
  readonly input: number;
  readonly output: number;
  readonly cacheReads: number;
  readonly cacheWrites: number;
}

/** A change that the program made to a conversation, or a report on a request. */
export interface TaskEvent {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly request?: TaskRequest;
  /** Tokens before a summary or a cut of Roo Code. */
  readonly tokensBefore?: number;
  /** Tokens after a summary of Roo Code. */
  readonly tokensAfter?: number;
  /** Id by which the conversation refers to the summary or cut. */
  readonly id?: string;
  /** Indices of the first and the last message that Cline's requests leave out from this time on. */
  readonly deleted?: readonly [start: number, end: number];
  /** Index of the last message of the conversation at this time. */
  readonly lastIndex?: number;
}

/**
 * Reads `ui_messages.json`, the companion of a task's conversation. In Cline, each message states the range that
 * requests leave out (`src/core/task/message-state.ts` of version 3.89). In Roo Code, a message reports each summary
 * and each cut (`packages/types/src/message.ts` of version 3.52).
 *
 * @param shown the parsed file, or the result of `shownInBrief`
 * @returns an empty list if the file has another form
 */
export function taskEvents(shown: unknown): readonly TaskEvent[] {
  if (!Array.isArray(shown)) return [];
  let deleted: string | undefined;
  return (shown as readonly unknown[]).flatMap((message): readonly TaskEvent[] => {
    if (!isRecord(message) || typeof message['ts'] !== 'number') return [];
    const { ts: at } = message;
    const request = requestIn(message);
    const compaction = compactionIn(message);
    const range = rangeIn(message);
    const isNew = range !== undefined && JSON.stringify(range.deleted) !== deleted;
    if (isNew) deleted = JSON.stringify(range.deleted);
    if (request === undefined && compaction === undefined && !isNew) return [];
    return [{ at, ...(request !== undefined && { request }), ...compaction, ...(isNew && range) }];
  });
}

/**
 * Shortens the file by the data that `taskEvents` ignores: pictures, outputs of commands, whole prompts.
 *
 * @param text text of the file
 * @returns JSON; undefined if the file is incomplete
 */
export function shownInBrief(text: string): string | undefined {
  let shown: unknown;
  try {
    shown = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!Array.isArray(shown)) return undefined;
  return JSON.stringify((shown as readonly unknown[]).filter(isRecord).flatMap(briefOf));
}

function briefOf(message: Fields): readonly object[] {
  const { ts, type, say, contextCondense, contextTruncation, conversationHistoryIndex } = message;
  const { conversationHistoryDeletedRange } = message;
  const request = requestIn(message);
  const isCompaction = isRecord(contextCondense) || isRecord(contextTruncation);
  if (request === undefined && !isCompaction && conversationHistoryDeletedRange === undefined) return [];
  const text = request === undefined ? undefined : JSON.stringify(numbersOf(request));
  const condensed = isRecord(contextCondense) ? { ...contextCondense, summary: undefined } : undefined;
  const range = { conversationHistoryIndex, conversationHistoryDeletedRange };
  return [{ ts, type, say, text, contextCondense: condensed, contextTruncation, ...range }];
}

/** Gives a request's numbers the names that they have in the text of its message. */
function numbersOf({ input, output, cacheReads, cacheWrites }: TaskRequest): object {
  return { tokensIn: input, tokensOut: output, cacheReads, cacheWrites };
}

function requestIn({ say, text }: Fields): TaskRequest | undefined {
  return say === 'api_req_started' && typeof text === 'string' ? readTaskRequest(text) : undefined;
}

/**
 * Reads the token counts from the text of a message about a request.
 *
 * @returns undefined for an unanswered request
 */
function readTaskRequest(text: string): TaskRequest | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { tokensIn, tokensOut, cacheReads, cacheWrites } = isRecord(value) ? value : {};
  const request = {
    input: tokensOf(tokensIn),
    output: tokensOf(tokensOut),
    cacheReads: tokensOf(cacheReads),
    cacheWrites: tokensOf(cacheWrites),
  };
  return Object.values(request).some((tokens) => tokens > 0) ? request : undefined;
}

function tokensOf(value: unknown): number {
  return typeof value === 'number' && value > 0 ? value : 0;
}

function compactionIn({
  contextCondense: condensed,
  contextTruncation: truncated,
}: Fields): Pick<TaskEvent, 'id' | 'tokensBefore' | 'tokensAfter'> | undefined {
  const about = isRecord(condensed) ? condensed : truncated;
  if (!isRecord(about)) return undefined;
  const { condenseId, truncationId, prevContextTokens, newContextTokens } = about;
  const id = condenseId ?? truncationId;
  return {
    ...(typeof id === 'string' && { id }),
    tokensBefore: tokensOf(prevContextTokens),
    ...(about === condensed && { tokensAfter: tokensOf(newContextTokens) }),
  };
}

function rangeIn({
  conversationHistoryDeletedRange: range,
  conversationHistoryIndex: index,
}: Fields): Required<Pick<TaskEvent, 'deleted' | 'lastIndex'>> | undefined {
  const [start, end] = Array.isArray(range) ? (range as readonly unknown[]) : [];
  const isRange = [start, end, index].every((one) => Number.isSafeInteger(one) && Number(one) >= 0);
  return isRange ? { deleted: [Number(start), Number(end)], lastIndex: Number(index) } : undefined;
}

/**
 * Returns the tokens of a request and its reply. Since version 3.29.5, Roo Code includes cached tokens in the input;
 * before, only if the provider did. An input that includes cached tokens is at least as large as the cached part.
 *
 * Source: `consolidateTokenUsage` in `packages/core/src/message-utils`, earlier in `src/shared/getApiMetrics.ts`.
 */
export function tokensOfRequest({ input, output, cacheReads, cacheWrites }: TaskRequest): ReportedUsage {
  const cached = cacheReads + cacheWrites;
  return {
    inputTokens: input < cached ? input + cached : input,
    outputTokens: output,
    cachedInputTokens: cacheReads,
    cacheWriteTokens: cacheWrites,
  };
}

/**
 * Returns the tokens of the request that a reply answered, which is the last request before the reply.
 *
 * @param after time of the previous reply
 * @param before time of the reply
 */
export function usageOfRequest(
  events: readonly TaskEvent[],
  after: unknown,
  before: unknown,
): ReportedUsage | undefined {
  if (typeof before !== 'number') return undefined;
  const from = typeof after === 'number' ? after : -Infinity;
  const { request } =
    events.findLast(({ at, request }) => request !== undefined && at > from && at <= before) ?? {};
  return request === undefined ? undefined : tokensOfRequest(request);
}
