import { wholePath } from '../text/file-names.ts';
import { type FileFact, lastMet, mergeFiles, type WorkSections } from '../messages/ledger.ts';
import { isForeign, isThrowAway, type TouchedFile } from './path-words.ts';

type Files = Pick<WorkSections, 'filesModified' | 'filesRead'>;

/**
 * Merges the files of earlier and later work, each once and in one spelling. A written file counts as created
 * if it was unknown. Leaves out files that were created and deleted again. Leaves out files outside the
 * project, unless all files are outside.
 */
export function withFiles(earlier: Files, since: readonly TouchedFile[]): Files {
  const paths = [
    ...earlier.filesModified.map(({ path }) => path),
    ...earlier.filesRead,
    ...since.map(({ path }) => path),
  ];
  const spelled = oneSpelling(paths);
  const modified: FileFact[] = earlier.filesModified.map((file) => ({ ...file, path: spelled(file.path) }));
  let read = earlier.filesRead.map(spelled);
  const there = new Set([
    ...modified.filter(({ deleted }) => deleted !== true).map(({ path }) => path),
    ...read,
  ]);
  for (const { path: written, what, isNamed } of since) {
    const path = spelled(written);
    if (what === 'read') read.push(...(isNamed === true ? [] : [path]));
    else if (what === 'deleted') {
      read = read.filter((other) => other !== path && !other.startsWith(`${path}/`));
      if (isNamed !== true) modified.push({ path, deleted: true });
    } else if (what === 'created' || (what === 'written' && !there.has(path)))
      modified.push({ path, created: true });
    else modified.push({ path, edits: 1 });
    if (what === 'deleted') there.delete(path);
    else there.add(path);
  }
  const merged = mergeFiles(modified);
  const changed = new Set(merged.map(({ path }) => path));
  const isTrial = paths.every(isThrowAway) ? () => false : isThrowAway;
  const isOther = paths.every(isForeign) ? () => false : isForeign;
  return {
    filesModified: merged.filter(
      ({ path, created, deleted }) => !(created === true && deleted === true) && !isTrial(path),
    ),
    filesRead: lastMet([], read).filter((path) => !changed.has(path) && !isOther(path)),
  };
}

/** Home folders, which paths may abbreviate to `~`. */
const homeFolder = /^(?:\/(?:home|Users)\/[^/]+|\/root|[A-Z]:\/Users\/[^/]+)(?=\/)/u;

/**
 * Finds the spelling in which each path is listed: the longest path of the same file. The working folder is
 * unknown here. A short path therefore stands for a longer one only if no other path ends with it.
 *
 * @param paths the paths as calls wrote them
 */
export function oneSpelling(paths: Iterable<string>): (path: string) => string {
  const wholes = new Map(Array.from(paths, (path) => [path, wholePath(path)]));
  const longer = longerOfEach([...new Set(wholes.values())]);
  const chosen = new Map<string, string>();
  const choose = (path: string): string => {
    const known = chosen.get(path);
    if (known !== undefined) return known;
    const [first = path, ...others] = new Set((longer.get(path) ?? []).map(choose));
    const found = others.length === 0 ? first : path;
    chosen.set(path, found);
    return found;
  };
  return (path) => choose(wholes.get(path) ?? wholePath(path));
}

function isWhole(path: string): boolean {
  return /^(?:\/|[A-Z]:)/u.test(path);
}

/** Finds the longer spellings of each relative path. */
function longerOfEach(spellings: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const longer = new Map<string, string[]>();
  for (const path of spellings) if (!isWhole(path)) longer.set(path, []);
  for (const path of spellings) {
    const home = homeFolder.exec(path)?.[0].length;
    for (let at = path.indexOf('/', 1); at >= 0; at = path.indexOf('/', at + 1)) {
      longer.get(path.slice(at + 1))?.push(path);
      if (at === home) longer.get(`~${path.slice(at)}`)?.push(path);
    }
  }
  return longer;
}
