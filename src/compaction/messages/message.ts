import type { StoredSentence } from '../../language/sentence.ts';
import type { Carried, ToldEnd } from './ledger.ts';
import type { Quotes } from './quote.ts';
import { remembered } from './remembered.ts';

/**
 * A message: one entry in OpenAI chat shape plus what this project needs to know about it.
 *
 * Messages are values. Nothing edits one after it was made; a compaction makes new ones that stand in for it.
 */
/** Roles a chat completions endpoint accepts. `developer` is OpenAI's newer name for `system`. */
export const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
export type Role = (typeof roles)[number];

/** The author of a message: `harness` is the program around the model, `strategy` a compaction. */
export type Origin = 'person' | 'model' | 'tool' | 'harness' | 'strategy';

/** The purposes of tokens. The kinds of a view always add up to its total. */
export const kinds = [
  'system',
  'tools',
  'memory',
  'user',
  'assistant',
  'reasoning',
  'toolCall',
  'toolResult',
  'summary',
  'reminder',
  'skill',
  'skillMetadata',
  'file',
] as const;
export type Kind = (typeof kinds)[number];

/** Kinds that a role cannot tell, so that a message has to carry them. */
type MarkedKind = 'memory' | 'summary' | 'reminder' | 'skill' | 'skillMetadata' | 'file';

/** One part of a multi-part content, for example `{ type: 'text', text }` or an image. */
export interface ContentPart {
  readonly type: string;
  readonly text?: string;
  readonly [key: string]: unknown;
}

export type Content = string | null | readonly ContentPart[];

export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is JSON text, exactly as the model wrote it: it may be malformed. */
  readonly function: { readonly name: string; readonly arguments: string };
}

/** A message as it goes over the wire. */
export interface ChatMessage {
  readonly role: Role;
  readonly content: Content;
  readonly name?: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
  /** Visible thinking, under the name several providers use for it. */
  readonly reasoning_content?: string;
}

/** A tool as the model is told of it. */
export interface ToolSchema {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
}

/** Tokens as a provider reported them for one request. */
export interface ReportedUsage {
  /** All of the prompt, whether it was read from a cache, written to one, or neither. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Of the input, read from the cache. */
  readonly cachedInputTokens?: number;
  /** Of the input, written to the cache; few providers tell. */
  readonly cacheWriteTokens?: number;
}

/** Marks a message whose text was shortened, so that no later step cuts it again. */
export interface Truncation {
  /** `tool`: by the tool that wrote it; anything else is what a compaction did. */
  readonly fate: 'hide' | 'clip' | 'offload' | 'tool';
  /** Size of the text before it was shortened, in tokens; left out if unknown. */
  readonly originalTokens?: number;
}

/** A provider's own form of a part of a conversation. Only that provider can read it. */
export interface OpaqueItem {
  /** Base URL of the endpoint that made it, and the only one it is sent to. */
  readonly endpoint: string;
  /** As the provider gave it. */
  readonly content: string;
}

/** Thinking that a provider wants back with the message, in its own form. */
export interface ReasoningItems {
  /** Base URL of the endpoint that made them, and the only one they are sent to. */
  readonly endpoint: string;
  /** The model that thought so; another one gets none of it. */
  readonly model: string;
  /** As the provider gave them, in order. */
  readonly items: readonly unknown[];
}

/** Outcome of a call. */
export interface CallOutcome {
  /** Absent for a call that completed. */
  readonly end?: ToldEnd;
  /** Exit status of a command, if recorded apart from the output. */
  readonly status?: number;
  /** One line, for example `exit code 1 after 12 s`. In English if it is a sentence. */
  readonly summary?: string;
  /** The sentence of the summary. Absent in sessions of earlier versions. */
  readonly sentence?: StoredSentence;
  /** Only in sessions of earlier versions: refused by the user. */
  readonly isDeclined?: boolean;
  readonly files?: readonly EditedFile[];
}

/** A file that was changed. */
export interface EditedFile {
  /** Relative to the workspace, as people read it. */
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  /** Lines. */
  readonly added: number;
  readonly removed: number;
}

/** The fields of a message beyond its chat shape. */
interface Envelope {
  /** Unique in a transcript. A message that stands in for one other message has that message's id. */
  readonly id: string;
  readonly origin: Origin;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly kind?: MarkedKind;
  readonly pinned?: boolean;
  readonly reasoning?: string;
  readonly usage?: ReportedUsage;
  /** Assistant messages only: the id of the model that said it, if that was written down. */
  readonly modelId?: string;
  readonly truncation?: Truncation;
  /** The person pressed Stop, or the connection was lost, before the model had finished. */
  readonly interrupted?: boolean;
  /** Tool results only: the tool could not do what it was asked. */
  readonly isError?: boolean;
  /** Of what it is a copy, for example `AGENTS.md` or `plan`: a later message with the same source takes its place. */
  readonly source?: string;
  /** The whole text, if the content is a shortened form of it from the beginning. Never sent. */
  readonly original?: string;
  /** Assistant messages only: what the provider wants back with them. */
  readonly reasoningItems?: ReasoningItems;
  /** Attachments of what the person typed. */
  readonly attached?: Attached;
  /** Typed parts of a text to which another agent added more; absent if all of it was typed. */
  readonly typed?: readonly TextRange[];
  /** Tool results only. */
  readonly outcome?: CallOutcome;
  /** Calls only: the file does not contain every result, so a missing result means nothing. */
  readonly hidesResults?: boolean;
  /** Summaries only: what the provider put in place of the messages; the text tells people and other models. */
  readonly opaque?: OpaqueItem;
  /**
   * Summaries only: facts and more that the program knows them to carry. Never sent, and never taken from a text. Not
   * in records of earlier versions, whose facts are taken from the originals in the transcript.
   */
  readonly carried?: Carried;
  /**
   * Quotes from the message, and the replacements whose later sentence it has. Known from records, and never written
   * with the message.
   */
  readonly quotes?: Quotes;
}

export type Message = Omit<ChatMessage, 'reasoning_content'> & Envelope;

const envelopeKeys: ReadonlySet<string> = new Set<keyof Envelope>([
  'id',
  'origin',
  'createdAt',
  'kind',
  'pinned',
  'reasoning',
  'usage',
  'modelId',
  'truncation',
  'interrupted',
  'isError',
  'source',
  'original',
  'reasoningItems',
  'outcome',
  'hidesResults',
  'attached',
  'typed',
  'opaque',
  'carried',
  'quotes',
]);

/**
 * The message in plain chat shape. Keys keep the order they came in, so that a message that was imported and
 * never touched is written out byte for byte as it was read.
 */
export function toChatMessage(message: Message): ChatMessage {
  const chat: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(message)) {
    if (key === 'reasoning') chat['reasoning_content'] = value;
    else if (!envelopeKeys.has(key)) chat[key] = value;
  }
  return chat as unknown as ChatMessage;
}

/** Adds an envelope to a plain chat message. A field of the same name on the chat message is not taken over. */
export function toMessage(chat: ChatMessage, envelope: Omit<Envelope, 'reasoning'>): Message {
  const message: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(chat)) {
    if (key === 'reasoning_content') message['reasoning'] = value;
    else if (!envelopeKeys.has(key)) message[key] = value;
  }
  return { ...message, ...envelope } as unknown as Message;
}

/** The text of a content, parts joined by line feeds. Parts that are not text contribute nothing. */
export function textOf(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content
    .map((part) => part.text)
    .filter((text) => text !== undefined)
    .join('\n');
}

/** The typed part of a message, without attachments and without text that another agent added. */
export function typedText({ content, attached, typed }: Message): string {
  const text = textOf(content);
  if (typed !== undefined) return typed.map(({ start, end }) => text.slice(start, end)).join('\n');
  return attached === undefined ? text : text.slice(0, attached.typedLength);
}

/** The rest of a message: attachments, and text that another agent added. */
export function addedText({ content, attached, typed }: Message): string {
  const text = textOf(content);
  const ranges = typed ?? [{ start: 0, end: attached?.typedLength ?? text.length }];
  const ends = [0, ...ranges.map(({ end }) => end)];
  const parts = [...ranges, { start: text.length }].map(({ start }, index) => text.slice(ends[index], start));
  return parts.join('\n').trim();
}

/**
 * The message with other content, usually shorter. The typed part keeps only the common beginning: the text after it
 * may be the end of a file.
 */
export function withContent(message: Message, content: Content): Message {
  const { attached, typed } = message;
  if (attached === undefined && typed === undefined) return { ...message, content };
  const [before, after] = [textOf(message.content), textOf(content)];
  const endOf = (start: number, end: number): number => {
    let at = start;
    while (at < end && at < after.length && before[at] === after[at]) at++;
    return at;
  };
  // The fields keep their order, by which a message is compared.
  return {
    ...message,
    content,
    ...(attached !== undefined && {
      attached: { ...attached, typedLength: endOf(0, attached.typedLength) },
    }),
    ...(typed !== undefined && { typed: typed.map(({ start, end }) => ({ start, end: endOf(start, end) })) }),
  };
}

/** True for content that a strict endpoint refuses where text is required. */
export function isBlank(content: Content): boolean {
  if (content === null || typeof content === 'string') return !notBlank.test(content ?? '');
  return content.every((part) => part.type === 'text' && !notBlank.test(part.text ?? ''));
}

/** Ends at the first character that is not white space, and makes no string. */
const notBlank = /\S/u;

export function isSystem(message: Message): boolean {
  return message.role === 'system' || message.role === 'developer';
}

/** True for a message that a person typed, as opposed to one a program put into the user role. */
export function isTyped(message: Message): boolean {
  return message.role === 'user' && message.origin === 'person' && message.kind === undefined;
}

/** True for a prompt: a typed message, or the task that a model wrote for its sub-agent. */
export function isPrompt(message: Message): boolean {
  return isTyped(message) || isTask(message);
}

/** True for the task that a model wrote for its sub-agent: a prompt, but not the user's words. */
export function isTask(message: Message): boolean {
  return message.role === 'user' && message.origin === 'model' && message.kind === undefined;
}

/** The kind of a message's own text; tool calls and reasoning on the same message have kinds of their own. */
export function kindOf(message: Message): Kind {
  if (message.kind !== undefined) return message.kind;
  switch (message.role) {
    case 'system':
    case 'developer':
      return 'system';
    case 'user':
      return message.origin === 'harness' ? 'reminder' : 'user';
    case 'assistant':
      return 'assistant';
    case 'tool':
      return 'toolResult';
  }
}

/** A part of a text, in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** A range of lines, counted from 1, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Something that goes with a message, for people. */
export interface Attachment {
  /** As it was typed, for example `@src/lock.ts:10-20`. */
  readonly label: string;
  /** A file, or something that the editor knows. */
  readonly type: 'path' | 'selection' | 'file' | 'problems' | 'changes' | 'picture';
  /** The part of the message that it takes. */
  readonly tokens: number;
  readonly characters: number;
  /** Relative to the workspace, if it is a file or a part of one. */
  readonly path?: string;
  readonly lines?: LineRange;
  /** The message has less than the whole of it. */
  readonly isShortened?: boolean;
  /** One sentence, for example that it may hold secrets. */
  readonly warning?: string;
  /** The sentence of the warning. Absent in sessions of earlier versions. */
  readonly warningSentence?: StoredSentence;
}

/** The attached part of a message's content. */
export interface Attached {
  /** Characters (UTF-16 units) that the content begins with and a person typed; the rest is what was attached. */
  readonly typedLength: number;
  readonly items: readonly Attachment[];
}

/** All of a message's text, also if it came into view in a shortened form. */
export function originalText({ original, content }: Message): string {
  return original ?? textOf(content);
}

/** The message as it is in context, for uses that need no whole text. The same one if there is none. */
export function withoutOriginal(message: Message): Message {
  return message.original === undefined ? message : shownOf(message);
}

/** The same one every time, so that what is known of it is known later. */
const shownOf = remembered(({ original: _original, ...shown }: Message): Message => shown);
