import { isRecord } from '../../../../src/language/is-record.ts';
import type { Rules } from '../rules/rules.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** A tool that a request declares. */
export interface DeclaredTool {
  readonly name: string;
  /** JSON schema of the tool's arguments. */
  readonly schema: Fields;
  /** The declaration as the agent sent it. */
  readonly declared: unknown;
  /** Tool group that contains the tool. Calls must name the group. */
  readonly namespace?: string;
  /** True if the tool's input is text instead of JSON. */
  readonly takesText?: true;
  /** True if the tool finds other tools that are not declared. */
  readonly findsTools?: true;
}

/** A message of a request. */
export interface SentMessage {
  /** `system` includes developer messages and a separate field for instructions. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  /** Texts that the model reads, including results of tools. */
  readonly texts: readonly string[];
  /** Names and arguments of the message's calls. */
  readonly calls: readonly { readonly name: string; readonly input: string }[];
}

/** Content of a request, in the same form for every wire. */
export interface ModelRequest {
  readonly tools: readonly DeclaredTool[];
  /** Tools that were found with a search tool, whose results declare them. */
  readonly found?: readonly DeclaredTool[];
  readonly messages: readonly SentMessage[];
}

/** The model's reply to a request. */
export interface Reply {
  /** Reasoning, which each wire signs in its own way. */
  readonly thought?: string;
  readonly text?: string;
  readonly call?: {
    readonly tool: DeclaredTool;
    readonly id: string;
    /** Arguments of the call; a string if the tool takes text. */
    readonly input: unknown;
  };
}

/** Values that a reply contains. Each wire puts them in a different place. */
export interface Exchange {
  /** Number of the request, counted from 1. */
  readonly number: number;
  readonly path: string;
  readonly body: Fields;
  /** Tokens that the reply reports. */
  readonly usage: { readonly input: number; readonly output: number };
}

/** A whole reply, or the events of a stream. */
export type Answer = { readonly json: unknown } | { readonly events: readonly string[] };

/** A protocol between agents and models. */
export interface Wire {
  readonly id: string;
  readonly rules: Rules;
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

/** The texts in content that is a string or a list of parts. Other values are converted to JSON. */
export function textsIn(content: unknown): readonly string[] {
  if (content === undefined || content === null || content === '') return [];
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [JSON.stringify(content)];
  return content.flatMap((part: unknown) => {
    if (typeof part === 'string') return [part];
    return isRecord(part) && typeof part['text'] === 'string' ? [part['text']] : [];
  });
}

/** An event of a stream. `name` is for protocols that name their events. */
export function eventText(data: unknown, name?: string): string {
  return `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`;
}
