import type { LineRange } from '../../compaction/attached.ts';

/** What a message can have attached. */
export type AttachmentSource = FileSource | { readonly type: ContextSource };

/** A file, by its path. */
export interface FileSource {
  readonly type: 'path';
  /** As it was typed: relative to the workspace or absolute. */
  readonly path: string;
  /** All of them where not given. */
  readonly lines?: LineRange;
  /** False for a single word without quotes that may well be no path, as in `@alex`. */
  readonly isExplicit: boolean;
}

/** Things that the editor knows: what is selected, the open file, what is wrong, what has changed. */
export const contextSources = ['selection', 'file', 'problems', 'changes'] as const;
export type ContextSource = (typeof contextSources)[number];

/** Where in a message something is named that is to be attached. */
export interface AttachmentReference {
  /** Of the first character, in UTF-16 units. */
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
  readonly source: AttachmentSource;
}

/** Letters, digits and signs of a path that can be typed without quotes. */
const plainPath = /^[\p{L}\p{N}_.\-/\\+~$@]*[\p{L}\p{N}_\-/+~$@]$/u;

/**
 * How a file is named in a message, for example `@src/lock.ts:10-20`.
 *
 * @param path without line feeds
 */
export function referenceText(path: string, lines?: LineRange): string {
  const named =
    plainPath.test(path) && /[\p{L}\p{N}]/u.test(path) ? path : `"${path.replace(/["\\]/gu, '\\$&')}"`;
  if (lines === undefined) return `@${named}`;
  return `@${named}:${lines.first === lines.last ? lines.first : `${lines.first}-${lines.last}`}`;
}
