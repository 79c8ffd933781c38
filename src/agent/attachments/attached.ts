/** Something that a message names and that could not be attached. */
export interface AttachmentProblem {
  /** In the text, in UTF-16 units; `end` is behind the last one. */
  readonly start: number;
  readonly end: number;
  /** One sentence for the person who typed it. */
  readonly problem: string;
}
