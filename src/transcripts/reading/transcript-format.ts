import {
  type ChatMessage,
  isTyped,
  type Message,
  type Origin,
  type ReportedUsage,
  textOf,
  toMessage,
  type ToolCall,
  type ToolSchema,
} from '../../compaction/messages/message.ts';
import type { ReportedEnd } from '../../compaction/messages/ledger.ts';
import { memoised, sharedLength } from '../../compaction/messages/memoise.ts';
import { type AgentFrames, type SaidPart, typedRangesOf } from '../../compaction/messages/typed-parts.ts';
import type {
  MessageEntry,
  ToolHistory,
  TranscriptEntry,
} from '../../compaction/transcript/transcript-entry.ts';
import { SentenceError } from '../../language/sentence.ts';
import type { EventLines, Fields } from './fields.ts';

/** A compaction by another agent, as recorded in its file. */
export interface ForeignCompaction {
  /** Format id of the agent. */
  readonly agent?: string | undefined;
  /** Index of the first message after the compaction. */
  readonly beforeMessageIndex: number;
  /** Index of the first message kept in the agent's view; absent if none was kept. */
  readonly keptFromIndex?: number | undefined;
  /** Indices of earlier messages that were also kept. */
  readonly alsoKept?: readonly number[] | undefined;
  /** Indices of earlier system messages that were not kept. All other system messages were kept. */
  readonly instructionsLeft?: readonly number[] | undefined;
  /** Summary; empty if the messages were cut off without a summary. */
  readonly summary: string;
  /** True if messages were cut off. Otherwise, the effect of a compaction without a summary is unknown. */
  readonly isCut?: true | undefined;
  /** Trigger of the compaction, if the file contains it. */
  readonly trigger?: 'automatic' | 'manual' | undefined;
  /** Tokens of the agent's view before the compaction, as the agent counted them, if the file contains the number. */
  readonly tokensBefore?: number | undefined;
  /** Time in ISO 8601. */
  readonly createdAt?: string | undefined;
}

/** Tokens of a context at one point, as its agent counted them. */
export interface CountedContext {
  readonly tokens: number;
  /** Index of the first message after the count. */
  readonly beforeMessageIndex: number;
}

/** A request that the proxy passed on, and its response. */
export interface Exchange {
  /** Time of the request in ISO 8601. */
  readonly createdAt: string;
  /** Id of the reply's message; absent without a reply. */
  readonly messageId?: string;
  /** `cut-off` if the provider broke off, `cancelled` if the client left, `unreachable` without a response. */
  readonly outcome: 'complete' | 'cancelled' | 'cut-off' | 'unreachable';
  /** HTTP status; absent without a response. */
  readonly status?: number;
  /** Milliseconds from the request to the head of the response, and to its end. */
  readonly firstByte?: number;
  readonly duration: number;
  /** Error of the provider, in one line. */
  readonly error?: string;
  /** Number of times that the client had sent the same request before; absent for none. */
  readonly retry?: number;
  /** True if compacting failed, so that the request was passed on as it came. */
  readonly isUnchanged?: boolean;
  /** Limits of the provider and the rest of them, by the names of its headers. */
  readonly limits?: Readonly<Record<string, string>>;
}

/** Content of a file in our own types. */
export interface Imported {
  readonly entries: readonly TranscriptEntry[];
  readonly tools: readonly ToolSchema[];
  /** MCP servers by the names of their tools. */
  readonly servers?: Readonly<Record<string, string>> | undefined;
  /** The tools over time, if the file shows when they changed. */
  readonly toolHistory?: ToolHistory | undefined;
  /** Requests that the proxy recorded. */
  readonly exchanges?: readonly Exchange[] | undefined;
  readonly compactions: readonly ForeignCompaction[];
  /** A sentence for each unreadable part that was left out. */
  readonly problems: readonly string[];
  /** Maximum tokens of a request, if the file states it. */
  readonly window?: number | undefined;
  /** The agent's own last count of its context, if no report follows it. */
  readonly context?: CountedContext | undefined;
  /** Id of the agent that wrote the file, if different from the format's id. */
  readonly agent?: string | undefined;
  /** Absolute working folder of the agent, as named in the file. */
  readonly folder?: string | undefined;
  /** Conversations in the file other than the active one. */
  readonly others?: readonly OtherConversation[] | undefined;
}

/** A conversation of the same file that is not the active one. */
export interface OtherConversation {
  /** `branch`: messages abandoned when the user went back or retried; `sub-agent`: a sub-agent's conversation. */
  readonly kind: 'branch' | 'sub-agent';
  /** Id that is unique in the file and the same whenever the file is read. */
  readonly id: string;
  /** Text of the first message that is in no other conversation; undefined if that message is not text. */
  readonly opening: string | undefined;
  /** Reads only this conversation. */
  read(): Imported;
}

export interface TranscriptFormat {
  readonly id: string;
  /** Id in earlier versions, which is still understood. */
  readonly formerId?: string;
  readonly title: string;
  /** Checks cheaply whether a text has this format. */
  recognises(text: string): boolean;
  /** @throws {ImportError} if the text is not in this format */
  parse(text: string): Imported;
  /** Reader of JSON lines, for a format whose files are all or partly JSON lines. */
  readonly lines?: LineReading;
}

/** Reads a file of JSON lines from its parsed lines. */
export interface LineReading {
  /** True if the first lines show that the file is line-based. */
  fits(text: string): boolean;
  /**
   * Reads these lines as `parse` reads their text. It does not modify the values, so that it can be called again with
   * more lines.
   *
   * @throws {ImportError} if the lines are not in this format
   */
  read(lines: EventLines): Imported;
  /**
   * Returns the part of a line that `read` needs, so that the rest is not kept in memory; by default the whole line.
   */
  readonly partOf?: (line: Fields) => Fields;
}

/** Error for a file that is not in the expected format, with the expectation and the place of the mismatch. */
export class ImportError extends SentenceError {
  override readonly name = 'ImportError';
}

/** Error for a file whose outermost structure differs from the format's, so that it belongs to another program. */
export class OtherFileError extends ImportError {}

/** A message of another agent's file before it has an id. */
export interface Draft {
  readonly chat: ChatMessage;
  /** `person`: the message may contain typed text. `parts` show which text is typed, if any. */
  readonly origin: Origin;
  /** The separate texts of content that was joined from several parts. */
  readonly parts?: readonly SaidPart[];
  /** Time in ISO 8601; absent if the file contains no time. */
  readonly createdAt?: string | undefined;
  readonly isError?: boolean | undefined;
  /** Results only: how the call ended, if it did not run to completion. */
  readonly end?: ReportedEnd | undefined;
  /** Results only: exit status of a command, if recorded separately from the output. */
  readonly status?: number | undefined;
  /** Calls only: true if the file does not contain every result. */
  readonly hidesResults?: boolean | undefined;
  /** Results only: id under which the call continued in the background. */
  readonly task?: string | undefined;
  /** Background calls that had ended when this message was written. */
  readonly endedTasks?: readonly EndedTask[] | undefined;
  /** Replies only: the model, as the file names it. */
  readonly modelId?: string | undefined;
  /** Replies only: the tokens of the answered request, as reported by the provider. */
  readonly usage?: ReportedUsage | undefined;
}

/** Beginning of an absolute path: a root, a drive or a server. */
const absolute = /^(?:[/\\]|[A-Za-z]:[/\\])/;

/** Returns the first value that is an absolute path. */
export function folderIn(values: readonly unknown[]): string | undefined {
  return values.find((value): value is string => typeof value === 'string' && absolute.test(value));
}

/** Returns a number above zero, such as a window or the size of a context; undefined for any other value. */
export function positive(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 ? value : undefined;
}

/** A call that ended in the background. */
export interface EndedTask {
  readonly id: string;
  readonly end?: ReportedEnd;
  readonly status?: number;
}

/**
 * Marks the user messages of a sub-agent's conversation as written by the model that started it. They do not count as
 * the user's words, because they may repeat text that the model read anywhere.
 */
export function ofSubAgent<T extends Pick<Imported, 'entries'>>(imported: T): T {
  return { ...imported, entries: imported.entries.map(asSaidByModel) };
}

const asSaidByModel = memoised((entry: TranscriptEntry): TranscriptEntry => {
  if (entry.type !== 'message' || !isTyped(entry.message)) return entry;
  const { typed: _typed, ...message } = entry.message;
  return { ...entry, message: { ...message, origin: 'model' } };
});

/** Time of messages in files without times. A constant makes repeated imports equal. */
export const unknownTime = '1970-01-01T00:00:00.000Z';

/** Frames for agents that keep additions and typed text in separate parts. */
const separateFrames: AgentFrames = { isKnown: true };

/**
 * Numbers messages in order: `m1`, `m2`, … A message without a time gets the time of the previous message, or, at the
 * beginning, the first known time.
 *
 * @param frames frames of the agent, which distinguish typed text from additions
 */
export function toEntries(
  drafts: readonly Draft[],
  frames: AgentFrames = separateFrames,
): readonly MessageEntry[] {
  const start = drafts.find(({ createdAt }) => createdAt !== undefined)?.createdAt ?? unknownTime;
  const before = drafts[0] && readLast.get(drafts[0]);
  const kept = before === undefined ? 0 : sharedLength(before.drafts, drafts);
  const changed = [...(before?.drafts.slice(kept) ?? []), ...drafts.slice(kept)];
  const isGrown =
    before?.entries[0]?.message.createdAt === start &&
    changed.every(({ endedTasks = [] }) => endedTasks.length === 0);
  const ended = isGrown ? before.ended : endedTasksOf(drafts);
  const entries = isGrown ? before.entries.slice(0, kept) : [];
  let createdAt = entries.at(-1)?.message.createdAt ?? start;
  for (let index = entries.length; index < drafts.length; index++) {
    const draft = drafts[index]!;
    createdAt = draft.createdAt ?? createdAt;
    const afterCommand = isCommand(drafts[index - 1]?.chat);
    entries.push(entryOf(draft, index, createdAt, frames, ended.get(draft.task ?? ''), afterCommand));
  }
  if (drafts[0] !== undefined) readLast.set(drafts[0], { drafts: [...drafts], ended, entries });
  return entries;
}

/** Drafts that were read, with their entries. */
interface ReadDrafts {
  readonly drafts: readonly Draft[];
  readonly ended: ReadonlyMap<string, EndedTask>;
  readonly entries: readonly MessageEntry[];
}

/** By the first draft, because most sessions that are read again have only grown at their end. */
const readLast = new WeakMap<Draft, ReadDrafts>();

function endedTasksOf(drafts: readonly Draft[]): ReadonlyMap<string, EndedTask> {
  const ended = new Map<string, EndedTask>();
  for (const { endedTasks } of drafts) for (const task of endedTasks ?? []) ended.set(task.id, task);
  return ended;
}

function entryOf(
  { chat, origin, parts, isError, task, hidesResults, modelId, usage, ...draft }: Draft,
  index: number,
  createdAt: string,
  frames: AgentFrames,
  ended: EndedTask | undefined,
  afterCommand: boolean,
): MessageEntry {
  const { end, status } = task === undefined ? draft : (ended ?? { ...draft, end: 'running' });
  const envelope = {
    id: `m${index + 1}`,
    origin,
    ...(chat.role === 'user' &&
      origin === 'person' &&
      (afterCommand ? { origin: 'harness' as const } : typedIn(chat, parts, frames))),
    createdAt,
    ...(isError === true && { isError }),
    ...(hidesResults === true && { hidesResults }),
    ...((end !== undefined || status !== undefined) && {
      outcome: { ...(end !== undefined && { end }), ...(status !== undefined && { status }) },
    }),
    ...(modelId !== undefined && { modelId }),
    ...(usage !== undefined && { usage }),
  };
  return { type: 'message', message: toMessage(chat, envelope) };
}

/** Frames for agents that join additions and typed text into one text. */
export const joinedFrames: AgentFrames = { isKnown: true, isTypedAfter: true };

/** True for a message about a command of Claude Code whose text is in the next message. */
export function isCommand(chat: ChatMessage | undefined): boolean {
  return chat?.role === 'user' && textOf(chat.content).startsWith('<command-message>');
}

/** Returns the typed ranges if only a part of a message was typed, or the agent as its origin if no part was typed. */
export function typedIn(
  { content }: Pick<ChatMessage, 'content'>,
  parts: readonly SaidPart[] = typeof content === 'string'
    ? [{ text: content }]
    : (content ?? []).flatMap(({ text }) => (text === undefined ? [] : [{ text }])),
  frames?: AgentFrames,
): Partial<Pick<Message, 'origin' | 'typed'>> {
  const text = textOf(content);
  const typed = typedRangesOf(parts, frames);
  const ends = [0, ...typed.map(({ end }) => end)];
  const isAll = [...typed, { start: text.length }].every(
    ({ start }, index) => text.slice(ends[index], start).trim() === '',
  );
  if (isAll) return {};
  return typed.length === 0 ? { origin: 'harness' } : { typed };
}

export function callOf(id: string, name: string, argumentsText: string): ToolCall {
  return { id, type: 'function', function: { name, arguments: argumentsText } };
}

/** Returns the result of a call. @param more time and end of the call, and other fields */
export function resultDraft(id: string, content: string, more: Partial<Draft>): Draft {
  return { chat: { role: 'tool', tool_call_id: id, content }, origin: 'tool', ...more };
}

/**
 * @param time milliseconds since 1970, or a string that `Date` understands
 * @returns the time in ISO 8601; undefined if the value is not a time
 */
export function isoTime(time: unknown): string | undefined {
  if (typeof time !== 'number' && typeof time !== 'string') return undefined;
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** A model's reply whose parts are being collected. */
export interface Reply {
  readonly texts: string[];
  readonly thoughts: string[];
  readonly calls: ToolCall[];
  /** Time in ISO 8601. */
  readonly createdAt: string | undefined;
  /** The model, as the file names it. */
  modelId?: string | undefined;
  /** The tokens of the request, as reported. */
  usage?: ReportedUsage | undefined;
}

export function emptyReply(createdAt: string | undefined): Reply {
  return { texts: [], thoughts: [], calls: [], createdAt };
}

/** Joins all parts into one message, with line feeds between texts; undefined if it has neither text nor calls. */
export function replyDraft({
  texts = [],
  thoughts = [],
  calls = [],
  createdAt,
  modelId,
  usage,
}: Partial<Reply>): Draft | undefined {
  const text = texts.join('\n');
  if (text === '' && calls.length === 0) return undefined;
  return {
    chat: {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(thoughts.length > 0 && { reasoning_content: thoughts.join('\n') }),
      // Copied, because more calls may follow.
      ...(calls.length > 0 && { tool_calls: [...calls] }),
    },
    origin: 'model',
    createdAt,
    modelId,
    usage,
  };
}
