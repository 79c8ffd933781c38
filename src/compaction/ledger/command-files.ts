import { normalisedPath } from '../text/file-path.ts';
import { enoughLines, fileOf, filesInPatch, hasFileName, isFile, type TouchedFile } from './path-words.ts';
import { innerWords, possibleSteps, type ShellStep } from './shell-steps.ts';

/**
 * Files that a command line reads and changes, for known programs. A word that only looks like a path may be
 * a pattern, a module or a part of a script.
 */

/** Options of a program whose value is the next word. */
const valued: Readonly<Record<string, RegExp>> = {
  sed: /^(?:-[a-zA-Z]*[el]|--expression)$/u,
  perl: /^-\w*e$|^-[IM]$/u,
  grep: /^(?:-[a-zA-Z]*[efABCm]|--(?:regexp|file|include|exclude|exclude-dir))$/u,
  rg: /^(?:-[a-zA-Z]*[efABCmgtTMr]|--(?:regexp|file|glob|type|max-count|replace))$/u,
  git: /^(?:-C|-c|-m|-L)$/u,
};
/** Programs that print files, with the number of operands that precede the files. */
const readers: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    'cat bat head tail nl tac less more wc strings xxd od hexdump diff sort uniq cut column open'
      .split(' ')
      .map((name) => [name, 0]),
  ),
  ...Object.fromEntries('sed awk grep egrep fgrep rg ag jq yq'.split(' ').map((name) => [name, 1])),
};
/** Options that contain the script or the pattern. All operands are then files. */
const ownElsewhere = /^(?:-[a-zA-Z]*[ef]|--(?:expression|regexp|file|files))$/u;
type Words = readonly string[];

/**
 * Finds the files that a command uses.
 *
 * @param folder the folder in which the command runs, if the call names it
 */
export function filesOfCommand(command: string, folder?: string): readonly TouchedFile[] {
  const steps = possibleSteps(command) ?? [];
  const found = steps.length === 0 && !command.includes('*** ') ? [] : inFolders(steps, folder);
  return /\b(?:apply_patch|git apply|patch)\b/u.test(command)
    ? [...found, ...filesInPatch(command).map((file) => ({ ...file, path: below(folder, file.path) }))]
    : found;
}

/** Finds the files of all steps except the last, for a command line whose last step failed. */
export function filesBeforeEnd(command: string, folder?: string): readonly TouchedFile[] {
  return inFolders(possibleSteps(command)?.slice(0, -1) ?? [], folder);
}

function inFolders(steps: readonly ShellStep[], start: string | undefined): readonly TouchedFile[] {
  let folder: string | undefined = start;
  let isKnown = true;
  return steps.flatMap((step, index) => {
    const [program, target = ''] = step.words;
    if (program === 'cd' || program === 'pushd') {
      const isFromRoot = /^(?:\/|~|[A-Za-z]:)/u.test(target);
      isKnown = (isKnown || isFromRoot) && !/[$`*?]|^-/u.test(target) && target !== '';
      folder = isFromRoot ? target : below(folder, target);
      return [];
    }
    const isShown = showsFile(step, steps[index + 1]);
    return filesOfStep(step)
      .map((file): TouchedFile => ({
        ...file,
        path: withoutVariable(file.path),
        ...(file.what === 'read' && !isShown && { isNamed: true }),
      }))
      .filter(({ path }) => isKnown || isFromRoot(path))
      .map((file): TouchedFile => ({ ...file, path: below(folder, file.path) }));
  });
}

/** Programs that print whole files. */
const wholePrinters: ReadonlySet<string> = new Set('cat bat nl less more'.split(' '));
/** Maximum number of files that count as read if one step prints them all. */
const mostShown = 2;

/**
 * True if a step prints enough of a file to count as reading it. False before `||`, where the file may not
 * exist.
 */
function showsFile(step: ShellStep, next: ShellStep | undefined): boolean {
  const { words, redirections } = step;
  const [program = '', ...rest] = innerWords(words);
  if (next?.after === '||' || redirections.some(({ sign }) => sign !== '<')) return false;
  const isWhole = wholePrinters.has(program);
  if (isWhole && next?.after === '|') return next.words[0] === 'cat' || enoughLines(linesPrinted(next.words));
  if (operandsOf(program, rest).length > mostShown + (program === 'sed' ? 1 : 0)) return false;
  return isWhole || (next?.after !== '|' && enoughLines(linesPrinted([program, ...rest])));
}

/** Returns the maximum number of lines that `head`, `tail` or `sed -n` prints; 0 for other programs. */
function linesPrinted([program, ...rest]: Words): number {
  const text = rest.join(' ');
  if (program === 'head' || program === 'tail') {
    return Number(/(?:^| )-(?:n ?|-lines[= ])?(\d+)(?: |$)/u.exec(text)?.[1] ?? 10);
  }
  const ranges =
    program === 'sed' && rest.includes('-n') ? [...text.matchAll(/(\d{1,7}),(\d{1,7}|\$)p/gu)] : [];
  return ranges.reduce(
    (sum, [, from, to]) => sum + (to === '$' ? Infinity : Number(to) - Number(from) + 1),
    0,
  );
}

function isFromRoot(path: string): boolean {
  return /^(?:[\\/]|~|[A-Za-z]:)/u.test(path);
}

/** Resolves a path against a folder. An absolute path, or any path without a known folder, stays unchanged. */
function below(folder: string | undefined, path: string): string {
  return folder === undefined || isFromRoot(path) ? path : normalisedPath(`${folder}/${path}`);
}

function withoutVariable(path: string): string {
  return path.replace(/^\$\{?HOME\}?\//u, '~/').replace(/^(?:\$\{?PWD\}?|\$\(pwd\))\//u, '');
}

function filesOfStep({ words, redirections }: ShellStep): readonly TouchedFile[] {
  const [program = '', ...rest] = innerWords(words);
  const redirected = redirections
    .filter(({ path }) => isRedirectedFile(path))
    .map(({ path, sign }): TouchedFile => {
      return { path, what: sign === '<' ? 'read' : sign === '>' ? 'written' : 'edited' };
    });
  return [...filesOfProgram(program, rest), ...redirected];
}

/** True if a redirection names a file with any extension. Excludes devices and paths with unknown parts. */
function isRedirectedFile(path: string): boolean {
  return (
    (isFile(path) || /^[\w@.+~/-]*[\w-]$/u.test(path)) && !path.startsWith('/dev/') && !/^[\d-]$/u.test(path)
  );
}

function filesOfProgram(program: string, words: Words): readonly TouchedFile[] {
  const given = operandsOf(program, words);
  const all = (what: TouchedFile['what'], from: Words = given) =>
    from.flatMap((word): TouchedFile | readonly [] => {
      const path = fileOf(word);
      return path === undefined ? [] : { path, what };
    });
  const isInPlace = words.some((word) => /^-[a-zA-Z0]*i|^--in-place/u.test(word));
  if ((program === 'sed' || program === 'perl') && isInPlace)
    return all('edited', ownWordsLeft(program, words, given));
  if (Object.hasOwn(readers, program)) return all('read', ownWordsLeft(program, words, given));
  switch (program) {
    case 'rm':
      return deleted(given);
    case 'mv':
      return moved(given);
    case 'cp':
      return copied(given);
    case 'create':
      return all('created');
    case 'tee':
      return all(words.some((word) => /^(?:-a|--append)$/u.test(word)) ? 'edited' : 'written');
    case 'git':
      return filesOfGit(given, words);
    default:
      return [];
  }
}

/** Removes the script or the pattern from the operands, so that only files remain. */
function ownWordsLeft(program: string, words: Words, given: Words): Words {
  const own = program === 'perl' ? 0 : (readers[program] ?? 0);
  const isElsewhere = own > 0 && words.some((word) => ownElsewhere.test(word));
  return given.slice(isElsewhere ? 0 : own);
}

function operandsOf(program: string, words: Words): Words {
  const takesValue = Object.hasOwn(valued, program) ? valued[program] : undefined;
  const end = words.indexOf('--');
  return words.filter((word, index) => {
    if (word === '' || word === '--') return false;
    if (end >= 0 && index > end) return true;
    return !word.startsWith('-') && takesValue?.test(words[index - 1] ?? '') !== true;
  });
}

function filesOfGit([verb = '', ...given]: Words, words: Words): readonly TouchedFile[] {
  const files = given.filter((word) => fileOf(word) !== undefined);
  switch (verb) {
    case 'rm':
      return words.includes('--cached') ? [] : deleted(given);
    case 'mv':
      return moved(given);
    // Without a revision, `git checkout` only undoes changes.
    case 'checkout':
      return given.length > files.length && given[0] !== 'HEAD' && words.includes('--')
        ? files.map((path) => ({ path, what: 'edited' }))
        : [];
    default:
      return [];
  }
}

/** Returns deleted files and folders. Folders are not listed later. */
function deleted(given: Words): readonly TouchedFile[] {
  return given.flatMap((word): TouchedFile | readonly [] => {
    const path = fileOf(word);
    if (path !== undefined) return { path, what: 'deleted' };
    return /^[~\w@.+/-]*\w\/?$/u.test(word)
      ? { path: normalisedPath(word), what: 'deleted', isNamed: true }
      : [];
  });
}

function moved(given: Words): readonly TouchedFile[] {
  const [source = '', , ...more] = given;
  if (more.length === 0 && fileOf(source) === undefined) return deleted([source]);
  return copied(given).flatMap((to, index) => [{ path: given[index]!, what: 'deleted' } as const, to]);
}

/** Returns the copies, one for each source; empty if a source is not a file. */
function copied(given: Words): readonly TouchedFile[] {
  const target = given.at(-1) ?? '';
  const sources = given.slice(0, -1);
  if (sources.length === 0 || !sources.every((word) => fileOf(word) !== undefined)) return [];
  const isFolder = sources.length > 1 || /(?:\/|^\.{1,2})$/u.test(target) || !hasFileName(target);
  const folder = normalisedPath(target);
  return sources.flatMap((source): TouchedFile | readonly [] => {
    const path = isFolder ? `${folder === '.' ? '' : `${folder}/`}${nameOf(source)}` : target;
    return isFile(path) ? { path, what: 'written' } : [];
  });
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
