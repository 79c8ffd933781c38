import { isRecord } from '../../../language/is-record.ts';
import { textOfParts } from '../../reading/content-parts.ts';
import type { Fields } from '../../reading/fields.ts';
import { type ForeignCompaction, isoTime, positive } from '../../reading/transcript-format.ts';
import { range } from './cline-state.ts';
import type { TaskEvent, TaskRequest } from './cline-task-events.ts';

/** A message of a task's file. An additional last message marks the end. */
export interface TaskMessage {
  readonly fields: Fields;
  readonly parts: readonly Fields[];
  /** Number of our messages before this message. */
  readonly start: number;
}

/** The text, from beginning to end, that carries Cline's own summary into the next request. */
const continued =
  /(?:\[summarize_task\] Result:\s*)?This session is being continued from a previous conversation that ran out of context\. The conversation is summarized below:[\s\S]*?Please continue the conversation from where we left off[^\n]*(?:\nIf the most recent user's message starts with[^\n]*)?\n?/;
/** Cline's response to a summary that the user requested and accepted. */
const accepted = 'The user has accepted the condensed conversation summary you generated.';

/** The program's request for a summary by Cline, at the end of a message. */
const asked = /<explicit_instructions type="(?:summarize_task|condense)">/;

/** Number of messages at the beginning of a task that Cline always sends. */
const firstPair = 2;

/** A summary by Cline in the message that continues after the compaction. */
interface CarriedSummary {
  readonly summary: string;
  readonly trigger: NonNullable<ForeignCompaction['trigger']>;
  /** Parts of the message without the summary. */
  readonly rest: readonly Fields[];
}

/**
 * Finds the summary from which a message of Cline continues. The model wrote it in a call of `summarize_task` (since
 * version 3.25), or, if the user requested it (`/smol`, `/compact`), in a call of `condense`. Source: the handlers of
 * these tools in `src/core/task/tools/handlers` of version 3.89.
 *
 * @param reply the previous message
 */
export function carriedSummary(
  parts: readonly Fields[],
  reply: TaskMessage | undefined,
): CarriedSummary | undefined {
  if (reply?.fields['role'] !== 'assistant') return undefined;
  const texts = parts.map(
    (part) => textOfParts(part['type'] === 'tool_result' ? part['content'] : [part]) ?? '',
  );
  const own = texts.findIndex((text) => continued.test(text));
  if (own >= 0) {
    const summary = argumentOf(reply.parts, 'summarize_task');
    const left = texts[own]?.replace(continued, '').trim() ?? '';
    const rest = parts.flatMap((part, index) => {
      if (index !== own) return [part];
      return left === '' ? [] : [{ type: 'text', text: left }];
    });
    return summary === undefined ? undefined : { summary, trigger: 'automatic', rest };
  }
  if (!texts.some((text) => text.includes(accepted))) return undefined;
  const summary = argumentOf(reply.parts, 'condense');
  const rest = parts.filter(({ type }) => type !== 'tool_result');
  return summary === undefined ? undefined : { summary, trigger: 'manual', rest };
}

/** Returns the `context` argument of a call, which the model made in its text or natively. */
function argumentOf(parts: readonly Fields[], tool: string): string | undefined {
  for (const { type, name, input, text } of parts) {
    if (type === 'tool_use' && name === tool && isRecord(input) && typeof input['context'] === 'string') {
      return input['context'];
    }
    const inText = type === 'text' && typeof text === 'string' ? text.indexOf(`<${tool}>`) : -1;
    if (inText < 0 || typeof text !== 'string') continue;
    const context = /<context>([\s\S]*?)(?:<\/context>|$)/.exec(text.slice(inText))?.[1]?.trim();
    if (context !== undefined && context !== '') return context;
  }
  return undefined;
}

/** Returns the compaction of a carried summary. @param carrier index of the message with the summary */
export function carriedCompaction(
  { summary, trigger }: CarriedSummary,
  messages: readonly TaskMessage[],
  carrier: number,
  tokensBefore: number | undefined,
): ForeignCompaction {
  const at = messages[carrier];
  return {
    agent: 'cline',
    beforeMessageIndex: at?.start ?? 0,
    alsoKept: range(0, messages[firstPair]?.start ?? 0),
    summary,
    trigger,
    tokensBefore,
    createdAt: isoTime(at?.fields['ts']),
  };
}

/**
 * Finds the messages that Cline left out of its requests without a summary, from the ranges that it stores. A range
 * that belongs to a summary ends right before the message with that summary, which may still be missing.
 */
export function cutRanges(
  messages: readonly TaskMessage[],
  events: readonly TaskEvent[],
): readonly ForeignCompaction[] {
  const carriers = messages.flatMap(({ parts }, index) => {
    return asked.test(textOfParts(parts) ?? '') ? [index + 2] : [];
  });
  return events.flatMap(({ at, deleted, lastIndex }, index): readonly ForeignCompaction[] => {
    if (deleted === undefined || lastIndex === undefined) return [];
    const [start, end] = deleted;
    if (carriers.some((carrier) => end < carrier && end >= carrier - 3)) return [];
    const position = messages[lastIndex + 1]?.start ?? endOf(messages);
    const request = events.slice(0, index).findLast((event) => event.request !== undefined)?.request;
    return [
      {
        agent: 'cline',
        beforeMessageIndex: position,
        keptFromIndex: Math.min(position, messages[end + 1]?.start ?? position),
        alsoKept: range(0, messages[start]?.start ?? 0),
        summary: '',
        isCut: true,
        trigger: 'automatic',
        tokensBefore: request && positive(sizeOf(request)),
        createdAt: isoTime(at),
      },
    ];
  });
}

/**
 * Reads a summary or a cut of Roo Code, or of Kilo Code before version 7. A summary with the user role replaces
 * everything (since version 3.43). An older summary, with the assistant role, keeps the first message and the last
 * few, which follow the summary. Messages name the summary or cut that removed them (since version 3.36). Source:
 * `src/core/condense/index.ts` and `src/core/context-management/index.ts`.
 *
 * @param index index of the message of the summary or cut; a summary is not one of our messages
 */
export function rooCompaction(
  messages: readonly TaskMessage[],
  index: number,
  events: readonly TaskEvent[],
): ForeignCompaction | undefined {
  const message = messages[index];
  if (message === undefined) return undefined;
  const { fields, parts, start } = message;
  const isCut = fields['isTruncationMarker'] === true;
  if (!isCut && fields['isSummary'] !== true) return undefined;
  const id = isCut ? fields['truncationId'] : fields['condenseId'];
  const event = events.find((one) => one.id !== undefined && one.id === id);
  // A summary or cut is stored in the place of the removed messages, but was made later.
  const later =
    event === undefined
      ? -1
      : messages.findIndex(({ fields: { ts } }) => typeof ts === 'number' && ts > event.at);
  const position =
    event === undefined ? start : later < 0 ? endOf(messages) : (messages[later]?.start ?? start);
  const leaves = isCut || fields['role'] === 'assistant';
  const parent = isCut ? 'truncationParent' : 'condenseParent';
  const isKept = ({ fields: before }: TaskMessage) =>
    id === undefined ? index === 1 : typeof id === 'string' && before[parent] !== id;
  return {
    agent: 'roo-code',
    beforeMessageIndex: Math.max(start, position),
    keptFromIndex: position > start ? start : undefined,
    alsoKept: leaves
      ? messages.slice(0, index).flatMap((one, at) => (isKept(one) ? ownOf(messages, at) : []))
      : undefined,
    summary: isCut ? '' : (textOfParts(parts) ?? ''),
    ...(isCut && { isCut, trigger: 'automatic' }),
    tokensBefore: positive(event?.tokensBefore),
    createdAt: isoTime(fields['ts']),
  };
}

/** Returns the tokens by which Cline decides that a conversation is too long. Cached tokens are added to the input. */
function sizeOf({ input, output, cacheReads, cacheWrites }: TaskRequest): number {
  return input + output + cacheReads + cacheWrites;
}

/** Returns the indices of our messages that were made from a message of the file. */
function ownOf(messages: readonly TaskMessage[], index: number): readonly number[] {
  const start = messages[index]?.start ?? 0;
  return range(start, messages[index + 1]?.start ?? start);
}

/** Returns the number of our messages before the last message of the file. */
function endOf(messages: readonly TaskMessage[]): number {
  return messages.at(-1)?.start ?? 0;
}
