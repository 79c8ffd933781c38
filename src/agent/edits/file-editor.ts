import { type ModelText, type Sentence, SentenceError } from '../../language/sentence.ts';

/** A change to one file. */
export interface FileChange {
  /** Absolute path. Symbolic links are resolved as far as they exist. */
  readonly path: string;
  /** The path relative to the workspace, as shown to the user and the model. */
  readonly shown: string;
  /** The present text; undefined if the file is missing. */
  readonly before: string | undefined;
  /** The new text; undefined to delete the file. */
  readonly after: string | undefined;
}

/** Port to files as the host sees them, including unsaved changes in open documents. */
export interface FileEditor {
  /** @returns the text; undefined if the file is missing @throws {FileEditError} if the file is not text */
  read(path: string): Promise<string | undefined>;
  /** Makes all changes or none. @throws {FileEditError} if a file differs from `before` or cannot be written */
  apply(changes: readonly FileChange[]): Promise<void>;
}

/** Error for a file that cannot be read or changed. */
export class FileEditError extends SentenceError {
  override readonly name = 'FileEditError';
  /** Advice to a model, after the sentence. */
  readonly advice: ModelText | undefined;

  constructor(
    sentence: Sentence,
    { advice, ...options }: ErrorOptions & { readonly advice?: ModelText | undefined } = {},
  ) {
    super(sentence, options);
    this.advice = advice;
  }
}

/** Error for an edit that does not match the text of its file. The problem may quote that text. */
export class EditMismatchError extends Error {
  override readonly name = 'EditMismatchError';
  readonly problem: ModelText;

  constructor(problem: ModelText) {
    super(problem);
    this.problem = problem;
  }
}
