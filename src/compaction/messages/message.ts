import type { StoredSentence } from '../../language/sentence.ts';
import type { Carried, ReportedEnd } from './ledger.ts';
import type { Quotes } from './quote.ts';
import { memoised } from './memoise.ts';

/** Roles that a chat completions endpoint accepts. `developer` is OpenAI's newer name for `system`. */
export const roles = ['system', 'developer', 'user', 'assistant', 'tool'] as const;
export type Role = (typeof roles)[number];

/** The author of a message: `harness` is the program around the model, `strategy` a compaction. */
export type Origin = 'person' | 'model' | 'tool' | 'harness' | 'strategy';

/** The purposes of tokens. The tokens of all kinds add up to the total of a view. */
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

/** Kinds that do not follow from the role and are therefore stored with the message. */
type MarkedKind = 'memory' | 'summary' | 'reminder' | 'skill' | 'skillMetadata' | 'file';

/** A part of a multi-part content, for example `{ type: 'text', text }` or an image. */
export interface ContentPart {
  readonly type: string;
  readonly text?: string;
  readonly [key: string]: unknown;
}

export type Content = string | null | readonly ContentPart[];

export interface ToolCall {
  readonly id: string;
  readonly type: 'function';
  /** `arguments` is JSON exactly as the model wrote it; it may be malformed. */
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface ChatMessage {
  readonly role: Role;
  readonly content: Content;
  readonly name?: string;
  readonly tool_calls?: readonly ToolCall[];
  readonly tool_call_id?: string;
  /** Visible thinking, under the field name that several providers use. */
  readonly reasoning_content?: string;
}

export interface ToolSchema {
  readonly type: 'function';
  /** Protocol in whose form a client declared the tool; absent for the form of chat completions. */
  readonly form?: 'messages' | 'gemini';
  readonly function: {
    readonly name: string;
    readonly description?: string;
    readonly parameters?: Readonly<Record<string, unknown>>;
  };
}

export interface ReportedUsage {
  /** Tokens of the whole prompt, including tokens read from a cache or written to a cache. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens?: number;
  /** Input tokens written to the cache. Few providers report them. */
  readonly cacheWriteTokens?: number;
}

/** Mark of a message whose text was shortened, so that no later step cuts it again. */
export interface Truncation {
  /** For `tool`, the tool that wrote the text shortened it; for all others, a compaction did. */
  readonly fate: 'hide' | 'clip' | 'offload' | 'tool';
  /** Size of the text before it was shortened, in tokens; absent if unknown. */
  readonly originalTokens?: number;
}

/** A part of a conversation in a form that only its provider can read. */
export interface OpaqueItem {
  /** Base URL of the endpoint that made the item. The item is sent to no other endpoint. */
  readonly endpoint: string;
  readonly content: string;
}

/** Reasoning in the provider's own form. Requests with the message have to return it to the provider. */
export interface ReasoningItems {
  /** Base URL of the endpoint that made the items. They are sent to no other endpoint. */
  readonly endpoint: string;
  /** Model that produced the items. They are sent to no other model. */
  readonly model: string;
  readonly items: readonly unknown[];
}

export interface CallOutcome {
  readonly end?: ReportedEnd;
  /** Exit status of a command, if recorded separately from the output. */
  readonly status?: number;
  /** Short text, for example `exit code 1 after 12 s`. Sentences are in English. */
  readonly summary?: string;
  /** The summary as a sentence that can be translated. Absent in sessions of earlier versions. */
  readonly sentence?: StoredSentence;
  /** True if the user refused the call. Only in sessions of earlier versions. */
  readonly isDeclined?: boolean;
  readonly files?: readonly EditedFile[];
}

export interface EditedFile {
  readonly path: string;
  readonly change: 'created' | 'modified' | 'deleted';
  readonly added: number;
  readonly removed: number;
}

interface Envelope {
  /** Unique in a transcript. A message that replaces exactly one other message keeps the id of that message. */
  readonly id: string;
  readonly origin: Origin;
  /** Time in ISO 8601. */
  readonly createdAt: string;
  readonly kind?: MarkedKind;
  readonly pinned?: boolean;
  readonly reasoning?: string;
  readonly usage?: ReportedUsage;
  /** Assistant messages only: id of the model that wrote the message, if recorded. */
  readonly modelId?: string;
  readonly truncation?: Truncation;
  /** True if the user pressed Stop or the connection was lost before the model had finished. */
  readonly interrupted?: boolean;
  readonly isError?: boolean;
  /** Source of the copied text, such as `AGENTS.md`; a later message of the same source replaces this one. */
  readonly source?: string;
  /** The whole text, if the content was shortened when the message was created. Never sent. */
  readonly original?: string;
  /** Assistant messages only: reasoning that requests have to return to the provider with the message. */
  readonly reasoningItems?: ReasoningItems;
  readonly attached?: Attached;
  /** Typed ranges of a text to which another agent added text; absent if all text was typed. */
  readonly typed?: readonly TextRange[];
  readonly outcome?: CallOutcome;
  /** Calls only: the file omits some results, so a missing result means nothing. */
  readonly hidesResults?: boolean;
  /** Summaries only: the provider's replacement for the messages. The text is for people and other models. */
  readonly opaque?: OpaqueItem;
  /** Summaries only: facts in the summary, recorded by the program and never sent. Absent in earlier versions. */
  readonly carried?: Carried;
  /** Quotes from the message. Derived from records and never stored with the message. */
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

/** Converts a message to plain chat shape, with keys in order, so that an import is written back byte for byte. */
export function toChatMessage(message: Message): ChatMessage {
  const chat: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(message)) {
    if (key === 'reasoning') chat['reasoning_content'] = value;
    else if (!envelopeKeys.has(key)) chat[key] = value;
  }
  return chat as unknown as ChatMessage;
}

/** Adds an envelope to a plain chat message. Ignores fields of the message with names of envelope fields. */
export function toMessage(chat: ChatMessage, envelope: Omit<Envelope, 'reasoning'>): Message {
  const message: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(chat)) {
    if (key === 'reasoning_content') message['reasoning'] = value;
    else if (!envelopeKeys.has(key)) message[key] = value;
  }
  return { ...message, ...envelope } as unknown as Message;
}

export function contentParts(content: Content): readonly ContentPart[] {
  if (content === null) return [];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

/** Returns the text parts of a content, joined by line feeds. Other parts contribute nothing. */
export function textOf(content: Content): string {
  if (content === null) return '';
  if (typeof content === 'string') return content;
  return content
    .map((part) => part.text)
    .filter((text) => text !== undefined)
    .join('\n');
}

/** Returns the typed part of a message, without attachments and text that another agent added. */
export function typedText({ content, attached, typed }: Message): string {
  const text = textOf(content);
  if (typed !== undefined) return typed.map(({ start, end }) => text.slice(start, end)).join('\n');
  return attached === undefined ? text : text.slice(0, attached.typedLength);
}

/** Returns the rest of a message: attachments, and text that another agent added. */
export function addedText({ content, attached, typed }: Message): string {
  const text = textOf(content);
  const ranges = typed ?? [{ start: 0, end: attached?.typedLength ?? text.length }];
  const ends = [0, ...ranges.map(({ end }) => end)];
  const parts = [...ranges, { start: text.length }].map(({ start }, index) => text.slice(ends[index], start));
  return parts.join('\n').trim();
}

/** Replaces the content. The typed part keeps only the beginning that both contents share; the rest may be a file. */
export function withContent(message: Message, content: Content): Message {
  const { attached, typed } = message;
  if (attached === undefined && typed === undefined) return { ...message, content };
  const [before, after] = [textOf(message.content), textOf(content)];
  const endOf = (start: number, end: number): number => {
    let at = start;
    while (at < end && at < after.length && before[at] === after[at]) at++;
    return at;
  };
  // Keeps the order of fields, on which the comparison of messages depends.
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

/** Stops at the first character that is not white space, without allocating a string. */
const notBlank = /\S/u;

export function isSystem(message: Message): boolean {
  return message.role === 'system' || message.role === 'developer';
}

/** True for a message that the user typed, as opposed to text that a program sent in the user role. */
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

/** Returns the kind of a message's own text. Its tool calls and reasoning have separate kinds. */
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

export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A range of lines, counted from 1, both ends included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

export interface Attachment {
  /** The reference as typed, for example `@src/lock.ts:10-20`. */
  readonly label: string;
  readonly type: 'path' | 'selection' | 'file' | 'problems' | 'changes' | 'picture';
  readonly tokens: number;
  readonly characters: number;
  /** Path relative to the workspace, for a file or a part of a file. */
  readonly path?: string;
  readonly lines?: LineRange;
  readonly isShortened?: boolean;
  /** English sentence, for example that the file may contain secrets. */
  readonly warning?: string;
  /** The warning as a sentence that can be translated. Absent in sessions of earlier versions. */
  readonly warningSentence?: StoredSentence;
}

export interface Attached {
  /** Length of the typed text at the start of the content, in UTF-16 units. The rest was attached. */
  readonly typedLength: number;
  readonly items: readonly Attachment[];
}

export function originalText({ original, content }: Message): string {
  return original ?? textOf(content);
}

/** Removes the stored whole text (`original`) of a message. @returns the same message if it has none */
export function withoutOriginal(message: Message): Message {
  return message.original === undefined ? message : shownOf(message);
}

/** Returns the same object every time, so that results cached for it remain usable. */
const shownOf = memoised(({ original: _original, ...shown }: Message): Message => shown);
