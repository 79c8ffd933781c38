import { isOrdinaryFile } from '../edits/sensitive-path.ts';
import type { CommandPlace } from './command-place.ts';
import { readArguments, type TypedValue } from './option-grammar.ts';
import type { FoundUse } from './read-only-programs.ts';

/** Options after which a diff is told in names and numbers. */
const summary =
  /^(?:-s|--(?:no-patch|stat(?:=.*)?|compact-summary|shortstat|numstat|dirstat|summary|name-only|name-status|raw|quiet))$/;
/** A name of a commit, or one counted from it. Of hexadecimal digits alone it can be any file's text. */
const commit = /^(?:@|[A-Za-z][\w./-]*)(?:@\{[\w ./:-]+\})?$/;
const digits = /(?:^|-g)[\da-f]{4,64}$/i;
const counted = /^(?:@|\w[\w./-]*)(?:@\{[\w ./:-]+\})?[~^][\d~^]*$/;
/** A path that git takes as it stands. */
const plainPath = /^[^:!^*?[\\][^*?[\\]*$/;

/**
 * True if a command of git may show text of tracked files that hold secrets, now or in the history: neither its options
 * keep it to names and numbers, nor do its operands keep it to files that may be read.
 *
 * @param values its arguments, which are all allowed
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
    readArguments(quiet, rest) !== undefined &&
    (!needsSummary || rest.some((word) => summary.test(word)));
  // `git diff` tells no more than names of objects, too, while `git show` prints those that are no commits.
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
  /** Revisions, or what is not there. */
  readonly others: readonly string[];
}

/** Without `--`, git takes no word for a revision that is the name of a file, too. */
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

/** `HEAD:src/a.ts`, the text of one file. */
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

/** Further commands of git whose very words may be allowed, since they show no text of files. */
const wordless =
  /^(?:branch|cherry-pick|commit|describe|fetch|init|ls-files|ls-remote|ls-tree|merge|mv|pull|rev-list|rev-parse|revert|rm|shortlog|switch|tag|version|--version)$/;

/** True if a command of git that no grammar describes shows no text of files, whatever its options. */
export function showsNoText([verb = '', ...rest]: readonly string[]): boolean {
  if (verb === 'stash') return rest[0] === undefined || /^(?:apply|drop|pop|push)$/.test(rest[0]);
  return wordless.test(verb) && !rest.some((word) => /^--(?:dry-run|patch)|^-\w*p/.test(word));
}
