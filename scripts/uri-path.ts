import { pathToFileURL } from 'node:url';

/** The path of a file as VS Code has it in a URI: slashes, a leading one also before a drive, nothing encoded. */
export function uriPath(path: string): string {
  return decodeURIComponent(pathToFileURL(path).pathname);
}
