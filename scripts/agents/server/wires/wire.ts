import { isRecord } from '../../../../src/language/is-record.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A tool that a request declares. */
export interface DeclaredTool {
  readonly name: string;
  /** JSON schema of its arguments. */
  readonly schema: Fields;
  /** The declaration as it was sent. */
  readonly declared: unknown;
  /** Its tool group; the call has to name it. */
  readonly namespace?: string;
  /** True if its input is text, not JSON. */
  readonly takesText?: true;
  /** True if it finds tools that are not declared. */
  readonly findsTools?: true;
}

/** A message of a request. */
export interface SentMessage {
  /** `system` also covers developer messages and a separate instructions field. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Texts that the model reads, including results. */
  readonly texts: readonly string[];
  /** Names and arguments of its calls. */
  readonly calls: readonly { readonly name: string; readonly input: string }[];
}

/** Content of a request, independent of the wire. */
export interface ModelRequest {
  readonly tools: readonly DeclaredTool[];
  /** Tools found by a search tool; its results contain their declarations. */
  readonly found?: readonly DeclaredTool[];
  readonly messages: readonly SentMessage[];
}

/** The model's reply to a request. */
export interface Reply {
  readonly text?: string;
  readonly call?: {
    readonly tool: DeclaredTool;
    readonly id: string;
    /** A string if the tool takes text. */
    readonly input: unknown;
  };
}

/** Values of a reply that each wire puts in a different place. */
export interface Exchange {
  /** Number of the request, from 1 on. */
  readonly number: number;
  readonly path: string;
  readonly body: Fields;
  /** Reported tokens. */
  readonly usage: { readonly input: number; readonly output: number };
}

/** A whole reply, or the events of a stream. */
export type Answer = { readonly json: unknown } | { readonly events: readonly string[] };

/** A protocol between agents and models. */
export interface Wire {
  readonly id: string;
  accepts(path: string): boolean;
  read(body: Fields): ModelRequest;
  answer(reply: Reply, exchange: Exchange): Answer;
}

export function recordsIn(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {};
}

export function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Texts of a content that is a string or a list of parts. Other values are serialised as JSON. */
export function textsIn(content: unknown): readonly string[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [JSON.stringify(content)];
  return content.flatMap((part: unknown) => {
    if (typeof part === 'string') return [part];
    return isRecord(part) && typeof part['text'] === 'string' ? [part['text']] : [];
  });
}

/** An event of a stream, named where the protocol names its events. */
export function eventText(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
