import { isOrdinaryFile } from '../edits/sensitive-path.ts';
import type { CommandPlace } from './command-place.ts';
import { parseWords, type TypedValue } from './option-grammar.ts';
import type { FoundUse } from './read-only-programs.ts';

/** Options that reduce a diff to names and numbers. */
const summary =
  /^(?:-s|--(?:no-patch|stat(?:=.*)?|compact-summary|shortstat|numstat|dirstat|summary|name-only|name-status|raw|quiet))$/;
/** The name of a commit, also with `@{…}`. Hexadecimal digits alone may also name the content of a file. */
const commit = /^(?:@|[A-Za-z][\w./-]*)(?:@\{[\w ./:-]+\})?$/;
const digits = /(?:^|-g)[\da-f]{4,64}$/i;
const counted = /^(?:@|\w[\w./-]*)(?:@\{[\w ./:-]+\})?[~^][\d~^]*$/;
const plainPath = /^[^:!^*?[\\][^*?[\\]*$/;

/**
 * True if a git command may show the present or past text of tracked files that contain secrets. Its options
 * do not limit it to names and numbers, and its operands do not limit it to readable files.
 * @param values the arguments of the command, all of them allowed
 */
export function mayShowSecret(
  { content, rest }: FoundUse,
  values: readonly TypedValue[],
  place: CommandPlace | undefined,
): boolean {
  if (content === undefined || place === undefined) return false;
  const { quiet, needsSummary = false, showsObjects = false, showsTracked = false } = content;
  const operands = operandsOf(rest, values, place);
  const isCommit = (word: string) => isCommitName(word, !showsObjects);
  const isQuiet =
    quiet !== undefined &&
    parseWords(quiet, rest) !== undefined &&
    (!needsSummary || rest.some((word) => summary.test(word)));
  // `git diff` then shows only names of objects, but `git show` prints objects that are not commits.
  if (isQuiet && (content.printsObjects !== true || operands.others.every(isCommit))) return false;
  const { paths, others } = operands;
  const isOfFiles =
    paths.length > 0
      ? paths.every((path) => plainPath.test(path) && place.mayReadFile(path)) &&
        others.every((word) => isCommit(word) || (showsObjects && isFileOfCommit(word, place)))
      : showsObjects && others.length > 0 && others.every((word) => isFileOfCommit(word, place));
  if (isOfFiles && !rest.includes('--follow')) return false;
  const isOfNow =
    showsTracked &&
    others.length === 0 &&
    !rest.some((word) => /^--(?:staged|cached|merge-base|submodule)/.test(word)) &&
    paths.every((path) => plainPath.test(path));
  return !(isOfNow && place.tracksNoSecrets);
}

interface Operands {
  readonly paths: readonly string[];
  readonly others: readonly string[];
}

/** Splits operands into files and others. If `--` is missing, git rejects a revision that is also a file name. */
function operandsOf(rest: readonly string[], values: readonly TypedValue[], place: CommandPlace): Operands {
  const operands = values.filter(({ kind }) => kind === 'revision').map(({ value }) => value);
  const separator = rest.indexOf('--');
  if (separator < 0) {
    return {
      paths: operands.filter((word) => place.isThere(word)),
      others: operands.filter((word) => !place.isThere(word)),
    };
  }
  const first = Math.max(0, operands.length - (rest.length - separator - 1));
  return { paths: operands.slice(first), others: operands.slice(0, first) };
}

function isCommitName(word: string, mayBeDigits: boolean): boolean {
  return word
    .replace(/^\^/, '')
    .split(/\.{2,3}/)
    .every(
      (part) =>
        part === '' ||
        counted.test(part) ||
        (mayBeDigits && digits.test(part)) ||
        (commit.test(part) && !digits.test(part)),
    );
}

/** True for the content of one file in a commit, such as `HEAD:src/a.ts`. */
function isFileOfCommit(word: string, place: CommandPlace): boolean {
  const colon = word.indexOf(':');
  const path = word.slice(colon + 1);
  return (
    colon > 0 &&
    isCommitName(word.slice(0, colon), true) &&
    !word.slice(0, colon).includes('..') &&
    plainPath.test(path) &&
    (place.mayReadFile(path) || (isOrdinaryFile(path) && place.mayRead(path)))
  );
}
