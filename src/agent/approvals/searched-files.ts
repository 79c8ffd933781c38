import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { withoutEnd } from '../../compaction/text/clip.ts';
import { isOrdinaryFile, isSecretPath } from '../edits/sensitive-path.ts';

/** Number of entries examined before a directory counts as too large. */
const mostEntries = 20_000;
const unsearched = new Set(['node_modules']);
/** Files that list paths for searches to skip. A line with `!` makes a hidden path searchable again. */
const ignoreFiles = new Set(['.gitignore', '.ignore', '.rgignore']);

/** True if a search of an absolute directory certainly reads no file that may contain a secret. */
export function isWithoutSecrets(directory: string, isHiddenToo: boolean): boolean {
  const open = [directory];
  const takenBack = isHiddenToo ? [] : takenBackAbove(directory);
  let seen = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const entries = directoryEntries(next);
    if (!isHiddenToo) takenBack.push(...takenBackIn(next, entries));
    for (const entry of entries) {
      if (++seen > mostEntries) return false;
      const { name } = entry;
      const isHidden = name.startsWith('.') && !takenBack.some((pattern) => pattern.test(name));
      // A glob for source texts and documents also matches hidden files with such names.
      if (!isHiddenToo && ((isHidden && !hasOrdinaryEnding(name)) || unsearched.has(name))) continue;
      if (isSecretPath(name) && !(entry.isDirectory() && name === '.git')) return false;
      if (entry.isDirectory()) open.push(path.join(next, name));
    }
  }
  return true;
}

function hasOrdinaryEnding(name: string): boolean {
  return isOrdinaryFile(`src/x${path.extname(name)}`);
}

function takenBackAbove(directory: string): RegExp[] {
  const found: RegExp[] = [];
  for (let above = path.dirname(directory); ; above = path.dirname(above)) {
    found.push(...takenBackIn(above, directoryEntries(above)));
    if (above === path.dirname(above)) return found;
  }
}

/** Finds the patterns of all names that the ignore files of a directory make searchable again. */
function takenBackIn(directory: string, entries: readonly { readonly name: string }[]): readonly RegExp[] {
  return entries
    .filter(({ name }) => ignoreFiles.has(name))
    .flatMap(({ name }) => linesOf(path.join(directory, name)))
    .filter((line) => line.startsWith('!'))
    .map((line) => asPattern(withoutEnd(line, '/ \t\r').replace(/^.*[!/]/, '')));
}

/** Turns a glob of an ignore file into a pattern. With wildcards other than stars, it matches every name. */
function asPattern(glob: string): RegExp {
  if (/[?[\]\\{}]/.test(glob)) return /^/;
  return new RegExp(`^${glob.replace(/[.+^$()|]/g, String.raw`\$&`).replace(/\*+/g, '.*')}$`, 'i');
}

function linesOf(file: string): readonly string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}

/** Lists the entries of a directory; empty if it cannot be read. */
export function directoryEntries(directory: string) {
  try {
    return readdirSync(directory, { withFileTypes: true });
  } catch {
    return [];
  }
}
