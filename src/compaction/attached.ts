/** Lines of a text, counted from 1, both included. */
export interface LineRange {
  readonly first: number;
  readonly last: number;
}

/** Something that goes with a message, for people. */
export interface Attachment {
  /** As it was typed, for example `@src/lock.ts:10-20`. */
  readonly label: string;
  /** A file, or something that the editor knows. */
  readonly type: 'path' | 'selection' | 'file' | 'problems' | 'changes';
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
