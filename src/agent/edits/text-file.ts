import { basename } from 'node:path';
import { readWholeText, type Reading } from '../files/read-file.ts';
import { UnusablePathError, withRealFile, type Unusable } from '../files/real-file.ts';
import { FileEditError } from './file-editor.ts';

/** Bytes. As much as `read_file` reads. */
const largestFile = 20_000_000;

/** A file that is no text in UTF-8. */
export class EncodingError extends FileEditError {}

/**
 * Reads a file on disk, its byte order mark included.
 *
 * @param path absolute, all symbolic links resolved
 * @returns undefined where there is none
 * @throws {EncodingError} for what is not a text in UTF-8
 * @throws {FileEditError} for what is no file, too large, or lies elsewhere
 */
export async function readTextFile(path: string): Promise<string | undefined> {
  const name = basename(path);
  let reading: Reading;
  try {
    reading = await withRealFile(path, (file) => readWholeText(file, largestFile));
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw asFileEditError(error, name, 'read');
  }
  if ('refusal' in reading && reading.refusal === 'too-large') {
    throw new FileEditError(`${name} is too large to be changed.`);
  }
  try {
    if ('refusal' in reading) throw new TypeError('a text has no NUL');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(reading.bytes);
  } catch (error) {
    throw new EncodingError(`${name} is not a text in UTF-8.`, { cause: error });
  }
}

const unusable: Readonly<Record<Unusable, string>> = {
  directory: 'is a directory.',
  'not-a-directory': 'is below something that is not a directory.',
  special: 'is not a regular file.',
  moved: 'was moved or replaced meanwhile. Read it again.',
};

/** What the file system says, in a sentence. Anything else is passed on as it is. */
export function asFileEditError(error: unknown, name: string, verb: 'read' | 'written'): unknown {
  if (error instanceof UnusablePathError) {
    return new FileEditError(`${name} ${unusable[error.reason]}`, { cause: error });
  }
  const code = codeOf(error);
  if (code === undefined) return error;
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new FileEditError(`${name} cannot be ${verb}: permission denied.`, { cause: error });
    case 'ENOENT':
      return new FileEditError(`${name} does not exist any more.`, { cause: error });
    case 'ENOTDIR':
    case 'EEXIST':
      return new FileEditError(`${name} is below something that is not a directory.`, { cause: error });
    case 'ELOOP':
      return new FileEditError(`${name} is or is behind a symbolic link that leads nowhere.`, {
        cause: error,
      });
    case 'ENAMETOOLONG':
      return new FileEditError('The path is too long.', { cause: error });
    case 'ENOSPC':
      return new FileEditError(`${name} cannot be ${verb}: the disk is full.`, { cause: error });
    default:
      return new FileEditError(`${name} cannot be ${verb} (${code}).`, { cause: error });
  }
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : undefined;
}
