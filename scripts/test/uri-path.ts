import { pathToFileURL } from 'node:url';

/**
 * The path of a file as in VS Code's URIs: slashes, also one before a drive, and nothing encoded.
 *
 * @param windows true for a path of Windows; by default the present system
 */
export function uriPath(path: string, windows?: boolean): string {
  return decodeURIComponent(pathToFileURL(path, { windows }).pathname);
}
