import { type ModelText, type Sentence, SentenceError } from '../../language/sentence.ts';

/** A change to one file. */
export interface FileChange {
  /** Absolute, all symbolic links resolved as far as they exist. */
  readonly path: string;
  /** As people and the model read it: relative to the workspace. */
  readonly shown: string;
  /** Its text now; undefined if there is no such file. */
  readonly before: string | undefined;
  /** Its text afterwards; undefined if it is deleted. */
  readonly after: string | undefined;
}

/** Port: files as the host has them, open documents with unsaved changes included. */
export interface FileEditor {
  /**
   * @returns the text, or undefined if there is no such file
   * @throws {FileEditError} if it is not a text file
   */
  read(path: string): Promise<string | undefined>;
  /**
   * Makes all the changes, and saves them, or makes none.
   *
   * @throws {FileEditError} if a file is not what `before` says any more, or cannot be written
   */
  apply(changes: readonly FileChange[]): Promise<void>;
}

/** A file could not be read or changed. */
export class FileEditError extends SentenceError {
  override readonly name = 'FileEditError';
  /** A hint for a model, after the sentence. */
  readonly advice: ModelText | undefined;

  constructor(
    sentence: Sentence,
    { advice, ...options }: ErrorOptions & { readonly advice?: ModelText | undefined } = {},
  ) {
    super(sentence, options);
    this.advice = advice;
  }
}

/** An edit does not fit the text of its file. The problem may quote the text. */
export class EditMismatchError extends Error {
  override readonly name = 'EditMismatchError';
  readonly problem: ModelText;

  constructor(problem: ModelText) {
    super(problem);
    this.problem = problem;
  }
}
