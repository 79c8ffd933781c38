import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { FileEditError } from './file-editor.ts';

/** Bytes. As much as `read_file` reads. */
const largestFile = 20_000_000;

/**
 * Reads a file on disk, its byte order mark included.
 *
 * @returns undefined where there is none
 * @throws {FileEditError} for what is no file, too large, or not UTF-8
 */
export async function readTextFile(path: string): Promise<string | undefined> {
  const name = basename(path);
  let bytes: Buffer;
  try {
    const status = await stat(path);
    if (status.isDirectory()) throw new FileEditError(`${name} is a directory.`);
    if (!status.isFile()) throw new FileEditError(`${name} is not a regular file.`);
    if (status.size > largestFile) throw new FileEditError(`${name} is too large to be changed.`);
    bytes = await readFile(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw asFileEditError(error, name, 'read');
  }
  try {
    if (bytes.includes(0)) throw new TypeError('a text has no NUL');
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new FileEditError(`${name} is not a text in UTF-8.`, { cause: error });
  }
}

/** What the file system says, in a sentence. Anything else is passed on as it is. */
export function asFileEditError(error: unknown, name: string, verb: 'read' | 'written'): unknown {
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
    case 'ENOSPC':
      return new FileEditError(`${name} cannot be ${verb}: the disk is full.`, { cause: error });
    default:
      return new FileEditError(`${name} cannot be ${verb} (${code}).`, { cause: error });
  }
}

function codeOf(error: unknown): string | undefined {
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  return typeof code === 'string' && /^E[A-Z]+$/.test(code) ? code : undefined;
}
