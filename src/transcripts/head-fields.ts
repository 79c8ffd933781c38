import { isRecord } from '../language/is-record.ts';
import type { SaidPart } from '../compaction/messages/typed-parts.ts';
import { saidParts, textOfParts } from './reading/content-parts.ts';
import type { Fields } from './reading/fields.ts';
import { readJsonHead } from './reading/json-head.ts';
import { firstTitle } from './typed-title.ts';

/** Content of the beginning of a session's file. None of it is checked. */
export interface SessionHead {
  /** The agent's own title, or the first text that a person typed. */
  readonly title?: string | undefined;
  /** The folder that the agent worked in. */
  readonly workspace?: string | undefined;
  /** SHA-256 of that folder's path, in hexadecimal digits. */
  readonly workspaceHash?: string | undefined;
  /** The model that replied last, as the file names it. */
  readonly model?: string | undefined;
  /** Tokens that a request may have, if the file states it. */
  readonly window?: number | undefined;
  /** Of a sub-agent: the id of the session that started it. */
  readonly parentId?: string | undefined;
  /** Id of the session, if sub-agents name it and the file name does not contain it. */
  readonly sessionId?: string | undefined;
  /** Time of the first line that has one, ISO 8601. Read only if there is no title. */
  readonly startedAt?: string | undefined;
  /** True if it contains no messages yet. */
  readonly isEmpty?: true | undefined;
}

/** Fill of an agent's context as its provider reported it last. */
export interface LastUsage {
  /** Of the request and its reply. */
  readonly tokens: number;
  /** Tokens that a request may have, if the file states it. */
  readonly window?: number | undefined;
  /** The agent gives models windows of its own: where the file states none, none is known. */
  readonly hasOwnWindows?: true;
  /** The model that replied, as the file names it. */
  readonly model?: string | undefined;
  /** True if messages follow it. */
  readonly isOvertaken?: true;
}

/** The lines that are objects. The last may be broken off. */
export function objectLines(text: string): readonly Fields[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      const value: unknown = JSON.parse(line);
      return isRecord(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

/** The same for the beginning of a file: of a last line that is broken off, what there is of it. */
export function headLinesOf(text: string): readonly Fields[] {
  const lines = objectLines(text);
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const broken = last.startsWith('{') && objectLines(last).length === 0 ? readJsonHead(last) : undefined;
  return isRecord(broken) ? [...lines, broken] : lines;
}

/** Text of a content, a string or an array of parts; undefined if it has none. */
export function textOfContent(content: unknown): string | undefined {
  return filledText(textOfParts(content));
}

/** The value, if it is text with more than white space. */
export function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The first of the values that is text. */
export function firstText(values: readonly unknown[]): string | undefined {
  return values.map(filledText).find((text) => text !== undefined);
}

/** First content with typed text, without text that programs added. */
export function firstTyped(contents: readonly unknown[]): string | undefined {
  return firstTypedPart(contents.map(saidParts));
}

/** First typed text of contents whose untyped parts are marked. */
export function firstTypedPart(said: readonly (readonly SaidPart[])[]): string | undefined {
  return firstTitle(said, { isKnown: true });
}
