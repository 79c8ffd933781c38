import { type ModelText, type Sentence, SentenceError } from '../../language/sentence.ts';

/** A change to one file. */
export interface FileChange {
  /** Absolute, all symbolic links resolved as far as they exist. */
  readonly path: string;
  /** The path shown to the user and the model: relative to the workspace. */
  readonly shown: string;
  /** The present text; undefined if the file is missing. */
  readonly before: string | undefined;
  /** The new text; undefined to delete the file. */
  readonly after: string | undefined;
}

/** Port to files as the host has them, including open documents with unsaved changes. */
export interface FileEditor {
  /** @returns the text; undefined if the file is missing @throws {FileEditError} if it is not a text file */
  read(path: string): Promise<string | undefined>;
  /** Makes all changes or none. @throws {FileEditError} if a file does not match `before` or cannot be written */
  apply(changes: readonly FileChange[]): Promise<void>;
}

/** Error for a file that cannot be read or changed. */
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

/** Error for an edit that does not match the text of its file. The problem may quote the text. */
export class EditMismatchError extends Error {
  override readonly name = 'EditMismatchError';
  readonly problem: ModelText;

  constructor(problem: ModelText) {
    super(problem);
    this.problem = problem;
  }
}
