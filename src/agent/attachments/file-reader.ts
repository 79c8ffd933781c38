import { stat } from 'node:fs/promises';
import { isSecretPath } from '../edits/sensitive-path.ts';
import { throwIfAborted } from '../tools/support/define-tool.ts';
import { createReadFile } from '../tools/read-file.ts';
import type { ToolResult } from '../tools/support/tool.ts';
import type { Workspace } from '../files/workspace.ts';
import type { FileSource } from './reference.ts';

/** A file as it is attached, or why it is not. */
export type FileReading =
  | {
      readonly path: string;
      readonly content: string;
      readonly isCut: boolean;
      readonly warning?: string;
    }
  /** `isAbsent`: there is no file of this name. */
  | { readonly problem: string; readonly isAbsent: boolean };

export type ReadAttachedFile = (source: FileSource, signal: AbortSignal) => Promise<FileReading>;

/** What a file held when it was last looked at. */
interface Remembered {
  /** Of the last change, in milliseconds, and its size in bytes: as long as both are the same, so is the text. */
  readonly modified: number;
  readonly size: number;
  readonly result: ToolResult;
}

/** Files that are remembered: more than anybody attaches to one message. */
const mostRemembered = 32;
/** What a result tells the model to use instead is of no use to a person. */
const adviceForModel = /(?<=\.) (?:find_files|list_directory)\b[^]*$/u;

/**
 * Reads files for messages exactly as `read_file` reads them for the model, with the same refusals. A file is read
 * again only once it has changed.
 */
export function createFileReader(workspace: Workspace): ReadAttachedFile {
  const readFile = createReadFile(workspace);
  const remembered = new Map<string, Remembered>();

  return async (source, signal) => {
    const { path, lines } = source;
    const resolution = await workspace.resolve(path);
    if ('refusal' in resolution) return { problem: resolution.refusal, isAbsent: false };
    const { place } = resolution;
    const status = await stat(place.path).catch(() => undefined);
    throwIfAborted(signal);
    const key = JSON.stringify([place.path, lines]);
    const known = remembered.get(key);
    const isCurrent = known?.modified === status?.mtimeMs && known?.size === status?.size;
    const result =
      known !== undefined && isCurrent
        ? known.result
        : await readFile.run(
            { path, ...(lines === undefined ? {} : { start_line: lines.first, end_line: lines.last }) },
            signal,
            // The person named it, and reads the warning.
            true,
          );
    remembered.delete(key);
    if (result.isError) {
      return { problem: result.content.replace(adviceForModel, ''), isAbsent: status === undefined };
    }
    if (status !== undefined) {
      remembered.set(key, { modified: status.mtimeMs, size: status.size, result });
      for (const oldest of [...remembered.keys()].slice(0, -mostRemembered)) remembered.delete(oldest);
    }
    return {
      path: place.shown,
      content: result.content,
      isCut: result.isTruncated === true,
      ...(isSecretPath(place.shown)
        ? { warning: `${place.shown} may hold secrets: it is sent to the model as it is.` }
        : {}),
    };
  };
}
