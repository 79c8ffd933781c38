/** What a patch does to one file. Paths are as the patch writes them. */
export type FilePatch =
  | { readonly type: 'add'; readonly path: string; readonly text: string }
  | {
      readonly type: 'delete';
      readonly path: string;
      /** What the file has to contain; without it, anything. */
      readonly hunks?: readonly Hunk[];
    }
  | {
      readonly type: 'update';
      readonly path: string;
      readonly moveTo?: string;
      readonly hunks: readonly Hunk[];
    };

/** One change of a file with what stands around it. */
export interface Hunk {
  /** Lines that come somewhere before it, one after the other. */
  readonly headings: readonly string[];
  /** Index of its first line in the file before; undefined where the patch gives none. */
  readonly start?: number;
  readonly lines: readonly HunkLine[];
  /** It reaches to the end of the file. */
  readonly isAtEnd: boolean;
}

export interface HunkLine {
  readonly kind: 'context' | 'added' | 'removed';
  /** With its line end. */
  readonly text: string;
}
