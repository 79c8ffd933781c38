import { pathToFileURL } from 'node:url';

/**
 * The path of a file as in VS Code's URIs: with slashes, even before a drive, and without encoded characters.
 *
 * @param windows true for a path on Windows; by default, the current system
 */
export function uriPath(path: string, windows?: boolean): string {
  return decodeURIComponent(pathToFileURL(path, { windows }).pathname);
}
