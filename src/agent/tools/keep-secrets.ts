import { FileEditError } from '../edits/file-editor.ts';
import { isSecretPath } from '../edits/secret-path.ts';

/**
 * Works on the text of a file without quoting it where it may hold secrets: what does not fit is told to a model
 * before any person is asked.
 *
 * @throws {FileEditError} what the work throws, or a sentence in its place
 */
export function keepingSecrets<R>(shown: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof FileEditError) || !isSecretPath(shown)) throw error;
    throw new FileEditError(
      `The edit does not fit ${shown}, which may hold secrets, so none of it is shown. read_file asks for it.`,
    );
  }
}
