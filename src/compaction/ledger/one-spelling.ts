import { wholePath } from '../text/file-names.ts';

/** Home folders, below which `~` leads. */
const homeFolder = /^(?:\/(?:home|Users)\/[^/]+|\/root|[A-Z]:\/Users\/[^/]+)(?=\/)/u;

/**
 * Finds for each path the one spelling under which its file is listed: the longest of those that lead to it. Without
 * the working folder, a short path leads to the only longer one that ends with it; of several, to the one below the
 * folder to which most other short paths lead.
 *
 * @param paths as calls wrote them
 */
export function oneSpelling(paths: Iterable<string>): (path: string) => string {
  const wholes = new Map<string, string>();
  for (const path of paths) if (!wholes.has(path)) wholes.set(path, wholePath(path));
  const spellings = [...new Set(wholes.values())];
  const longer = longerOfEach(spellings);
  const longerOf = (path: string) => longer.get(path) ?? [];

  // Short paths that lead to one file only tell the folder that the others are in.
  const votes = new Map<string, number>();
  const certain = chooser(longerOf, () => 0);
  for (const path of spellings) {
    const whole = certain(path);
    if (whole !== path) votes.set(folderOf(whole, path), (votes.get(folderOf(whole, path)) ?? 0) + 1);
  }
  const choose = chooser(longerOf, (whole, path) => votes.get(folderOf(whole, path)) ?? 0);
  return (path) => choose(wholes.get(path) ?? wholePath(path));
}

/** @param weightOf how much speaks for a longer spelling; of two, the heavier one is chosen, of equal ones none */
function chooser(
  longerOf: (path: string) => readonly string[],
  weightOf: (whole: string, path: string) => number,
): (path: string) => string {
  const chosen = new Map<string, string>();
  const choose = (path: string): string => {
    const known = chosen.get(path);
    if (known !== undefined) return known;
    const [first, second] = [...new Set(longerOf(path).map(choose))]
      .map((whole) => ({ whole, weight: weightOf(whole, path) }))
      .sort((one, other) => other.weight - one.weight);
    const isClear = first !== undefined && (second === undefined || first.weight > second.weight);
    const found = isClear ? first.whole : path;
    chosen.set(path, found);
    return found;
  };
  return choose;
}

/** The folder that makes a short path a longer one. */
function folderOf(whole: string, path: string): string {
  return whole.slice(0, -tailOf(path).length);
}

function isWhole(path: string): boolean {
  return /^(?:\/|[A-Z]:)/u.test(path);
}

/** The part with which a longer spelling ends: `~/x` leads below any home folder. */
function tailOf(path: string): string {
  return path.startsWith('~/') ? path.slice(1) : `/${path}`;
}

/** Longer spellings of each short one. */
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
