import type { ContextSource, LineRange } from './reference.ts';

/** Something that goes with a message, for people. */
export interface Attachment {
  /** As it was typed, for example `@src/lock.ts:10-20`. */
  readonly label: string;
  readonly type: 'path' | ContextSource;
  /** What it takes of the message. */
  readonly tokens: number;
  readonly characters: number;
  /** Relative to the workspace, where it is a file or a part of one. */
  readonly path?: string;
  readonly lines?: LineRange;
  /** The message has less than the whole of it. */
  readonly isShortened?: boolean;
  /** One sentence, for example that it may hold secrets. */
  readonly warning?: string;
}

/** What of a message's content was attached. */
export interface Attached {
  /** Characters (UTF-16 units) that the content begins with and a person typed; the rest is what was attached. */
  readonly typedLength: number;
  readonly items: readonly Attachment[];
}

/** Something that a message names and that could not be attached. */
export interface AttachmentProblem {
  /** In the text, in UTF-16 units; `end` is behind the last one. */
  readonly start: number;
  readonly end: number;
  /** One sentence for the person who typed it. */
  readonly problem: string;
}
