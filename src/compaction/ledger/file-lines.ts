import { wholePath } from '../text/file-names.ts';
import type { FileFact } from '../messages/ledger.ts';

/** A list of files: the common folder, then one line for each file, relative to that folder. */
interface FileLines<File> {
  /** Absolute path without a trailing slash or line feed; absent if no folder contains at least two of the files. */
  readonly root?: string;
  /** Lines in the order of the files. */
  readonly lines: readonly { readonly file: File; readonly text: string }[];
}

const fromRoot = /^(?:\/|[A-Z]:|~)/u;
/** Minimum number of files in a common folder for which the folder is listed. */
const fewest = 2;

/**
 * Lists files that were read or changed.
 *
 * @param folder absolute working folder, if known; otherwise the root is the folder that contains most of the files,
 * if all paths are absolute
 */
export function fileLines<File extends string | FileFact>(
  files: readonly File[],
  folder?: string,
): FileLines<File> {
  const paths = files.map((file) => wholePath(pathOf(file), folder));
  const known = folder === undefined ? undefined : wholePath(folder);
  const isShared = known !== undefined && paths.filter((path) => isBelow(path, known)).length >= fewest;
  // Paths relative to the agent's folder must not look relative to another folder.
  const isWhole = paths.every((path) => fromRoot.test(path));
  const root = isShared ? known : isWhole ? sharedFolder(paths) : undefined;
  const lines = files.map((file, index) => {
    const path = paths[index]!;
    const shown = root !== undefined && isBelow(path, root) ? path.slice(root.length + 1) : pathOf(file);
    return { file, text: typeof file === 'string' ? shown : fileWords({ ...file, path: shown }) };
  });
  return { ...(root !== undefined && { root }), lines };
}

/** Returns a path and the changes of the file. */
export function fileWords({ path, edits = 0, created, deleted }: FileFact): string {
  const what = [
    ...(created === true ? ['created'] : []),
    ...(edits > 0 ? [edits === 1 ? 'edited' : `edited ×${edits}`] : []),
    ...(deleted === true ? ['deleted'] : []),
  ];
  return what.length === 0 ? path : `${path} (${what.join(', ')})`;
}

function pathOf(file: string | FileFact): string {
  return typeof file === 'string' ? file : file.path;
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

/** Finds the folder that saves the most characters. It contains at least two paths and more than half of all. */
function sharedFolder(paths: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  const whole = paths.filter((path) => /^(?:\/|[A-Z]:)[^\p{Cc}]*$/u.test(path));
  for (const path of whole) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  const needed = Math.max(fewest, Math.floor(whole.length / 2) + 1);
  let best: string | undefined;
  let most = 0;
  for (const [folder, count] of counts) {
    const saved = folder.length * count;
    if (count < needed || saved <= most) continue;
    best = folder;
    most = saved;
  }
  return best;
}
