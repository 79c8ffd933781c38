import { isRecord } from '../language/is-record.ts';
import type { SaidPart } from '../compaction/messages/typed-parts.ts';
import { saidParts, textOfParts } from './reading/content-parts.ts';
import type { Fields } from './reading/fields.ts';
import { readJsonHead } from './reading/json-head.ts';
import { firstTitle } from './typed-title.ts';

/** Data from the beginning of a session's file, unchecked. */
export interface SessionHead {
  /** The agent's own title, or the first typed text. */
  readonly title?: string | undefined;
  /** The agent's working folder. */
  readonly workspace?: string | undefined;
  /** SHA-256 of that folder's path, in hexadecimal digits. */
  readonly workspaceHash?: string | undefined;
  /** The model of the last reply, as the file names it. */
  readonly model?: string | undefined;
  /** Maximum tokens of a request, if the file states it. */
  readonly window?: number | undefined;
  /** Id of the session that started this sub-agent. */
  readonly parentId?: string | undefined;
  /** Id of the session, if sub-agents name it and the file name does not contain it. */
  readonly sessionId?: string | undefined;
  /** First time in the file, ISO 8601. Read only if the file has no title. */
  readonly startedAt?: string | undefined;
  /** True if the file contains no messages yet. */
  readonly isEmpty?: true | undefined;
}

/** Fill of an agent's context in the provider's last report. */
export interface LastUsage {
  /** Tokens of the request and its reply. */
  readonly tokens: number;
  /** Maximum tokens of a request, if the file states it. */
  readonly window?: number | undefined;
  /** True if the agent has its own model windows, which are unknown unless the file states them. */
  readonly hasOwnWindows?: true;
  /** The model of the reply, as the file names it. */
  readonly model?: string | undefined;
  /** True if messages follow the report. */
  readonly isOvertaken?: true;
}

/** The lines that are JSON objects. The last line may be incomplete. */
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

/** Like `objectLines` for the beginning of a file: reads an incomplete last line as far as possible. */
export function headLinesOf(text: string): readonly Fields[] {
  const lines = objectLines(text);
  const last = text.slice(text.lastIndexOf('\n') + 1);
  const broken = last.startsWith('{') && objectLines(last).length === 0 ? readJsonHead(last) : undefined;
  return isRecord(broken) ? [...lines, broken] : lines;
}

/** Text of a content, which is a string or an array of parts; undefined without text. */
export function textOfContent(content: unknown): string | undefined {
  return filledText(textOfParts(content));
}

/** The value, if it is text with more than white space. */
export function filledText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

/** The first value that is text. */
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
