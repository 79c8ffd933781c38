import { pathToFileURL } from 'node:url';

/**
 * The path of a file as VS Code has it in a URI: slashes, a leading one also before a drive, nothing encoded.
 *
 * @param windows whether the path is one of Windows; as on this system if omitted
 */
export function uriPath(path: string, windows?: boolean): string {
  return decodeURIComponent(pathToFileURL(path, { windows }).pathname);
}
