import { UnusablePathError, type Unusable } from '../files/real-file.ts';
import { failed, type ToolResult } from './tool.ts';

/** What to tell a model about a file that could not be read. @throws whatever is not the file system's doing */
export function fileProblem(error: unknown, shown: string): ToolResult {
  if (error instanceof UnusablePathError) return failed(`${shown} ${inWords[error.reason]}`);
  const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return failed(`${shown} does not exist. find_files and list_directory show what does.`);
    case 'EACCES':
    case 'EPERM':
      return failed(`${shown} may not be read: permission denied.`);
    case 'ELOOP':
      return failed(`${shown} is a symbolic link that leads back to itself.`);
    case 'ENAMETOOLONG':
      return failed('The path is too long.');
    default:
      if (typeof code === 'string' && /^E[A-Z0-9]+$/.test(code)) {
        return failed(`${shown} cannot be read (${code}).`);
      }
      throw error;
  }
}

const inWords: Readonly<Record<Unusable, string>> = {
  directory: 'is a directory. list_directory shows what is in it.',
  'not-a-directory': 'is not a directory. read_file reads it.',
  special: 'is not a regular file and cannot be read.',
  moved: 'was moved or replaced meanwhile, so it was not used. Try again.',
};

/** A size for people: `812 bytes`, `1.4 kB`, `20 MB`. */
export function sizeInWords(bytes: number): string {
  if (bytes < 1000) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  const isKilo = bytes < 999_500;
  const value = bytes / (isKilo ? 1e3 : 1e6);
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${isKilo ? 'kB' : 'MB'}`;
}
