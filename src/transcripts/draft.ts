import { toMessage, type ChatMessage, type Origin, type ReportedUsage } from '../compaction/message.ts';
import type { TranscriptEntry } from '../compaction/transcript-entry.ts';

/** A message of a foreign file before it has an id. */
export interface Draft {
  readonly chat: ChatMessage;
  readonly origin: Origin;
  /** ISO 8601; left out where the file does not say. */
  readonly createdAt?: string | undefined;
  readonly isError?: boolean | undefined;
  /** Replies only: the model that said it, as the file names it. */
  readonly modelId?: string | undefined;
  /** Replies only: the tokens of the request that it answered, as its provider reported them. */
  readonly usage?: ReportedUsage | undefined;
}

/** The time of a message whose file tells none: a fixed one keeps an import the same whenever it is made. */
export const unknownTime = '1970-01-01T00:00:00.000Z';

/**
 * Numbers messages in their order: `m1`, `m2`, … One without a time has that of the one before it, the first of the
 * first that has one.
 */
export function toEntries(drafts: readonly Draft[]): readonly TranscriptEntry[] {
  let createdAt = drafts.find((draft) => draft.createdAt !== undefined)?.createdAt ?? unknownTime;
  return drafts.map(({ chat, origin, isError, modelId, usage, ...draft }, index) => {
    createdAt = draft.createdAt ?? createdAt;
    const envelope = {
      id: `m${index + 1}`,
      origin,
      createdAt,
      ...(isError === true && { isError }),
      ...(modelId !== undefined && { modelId }),
      ...(usage !== undefined && { usage }),
    };
    return { type: 'message', message: toMessage(chat, envelope) };
  });
}

export function callOf(
  id: string,
  name: string,
  argumentsText: string,
): NonNullable<ChatMessage['tool_calls']>[number] {
  return { id, type: 'function', function: { name, arguments: argumentsText } };
}

/**
 * @param time milliseconds since 1970, or a text that `Date` understands
 * @returns ISO 8601, nothing for what is no time
 */
export function isoTime(time: unknown): string | undefined {
  if (typeof time !== 'number' && typeof time !== 'string') return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}
