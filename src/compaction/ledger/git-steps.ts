import type { CallEnd } from './call-ends.ts';
import { folderAt } from './checks.ts';
import { innerWords, shellSteps, type ShellStep } from './shell-steps.ts';

/** A command line that may call git, with its output. */
export interface GitRun {
  /** Command line as written. */
  readonly script: string;
  /** Folder named in the call. */
  readonly folder: string | undefined;
  readonly end: CallEnd;
  readonly status: number | undefined;
  readonly output: string;
}

/** A call of git in a command line. */
export interface GitStep {
  readonly subcommand: string;
  readonly args: readonly string[];
  readonly folder: string | undefined;
  /** True if `-C` names the folder. */
  readonly isElsewhere: boolean;
  /** True if no other output precedes the output of the call, except the report of a branch change. */
  readonly isFirst: boolean;
  /** True if the output of the call is neither piped nor redirected. */
  readonly isWhole: boolean;
  /** True if the call certainly ended without an error. */
  readonly isDone: boolean;
}

/** Programs before git that print nothing. */
const quiet: ReadonlySet<string> = new Set(
  'cd pushd export set source . true mkdir rm cp mv touch sleep'.split(' '),
);

/** Finds the calls of git that a command line certainly makes, in order. */
export function gitSteps({ script, folder: named, end, status }: GitRun): readonly GitStep[] {
  const steps = script.includes('git') ? (shellSteps(script) ?? []) : [];
  return steps.flatMap((step, index): GitStep | readonly [] => {
    const [program, ...rest] = innerWords(step.words);
    if (program !== 'git' || step.after === '||' || step.after === '|') return [];
    const { subcommand, args, folder } = readArguments(rest);
    const next = steps.slice(index + 1);
    const isPiped = next[0]?.after === '|';
    return {
      subcommand,
      args,
      folder: folder ?? folderAt(steps, index) ?? named,
      isElsewhere: folder !== undefined,
      isFirst: steps.slice(0, index).every(isQuiet) && !step.isRedirected,
      isWhole: !isPiped && !step.isRedirected,
      isDone: end === 'ran' && (status ?? 0) === 0 && next.every(({ after }) => after === '&&'),
    };
  });
}

/** The line that reports a commit: its branch, its hash and its subject. */
export const commitLine = /^\[(.{1,200}?)(?: \(root-commit\))? ([0-9a-f]{7,40})\] (.*)$/u;

/** Finds the lines of an output that report a commit. Reads only lines with its first character. */
export function commitLines(output: string): readonly RegExpExecArray[] {
  const reports: RegExpExecArray[] = [];
  for (let start = output.indexOf('['); start >= 0; start = output.indexOf('[', start + 1)) {
    if (start > 0 && output[start - 1] !== '\n') continue;
    const end = output.indexOf('\n', start);
    const report = commitLine.exec(output.slice(start, end < 0 ? undefined : end));
    if (report !== null) reports.push(report);
  }
  return reports;
}

/** True if a command line certainly made a commit. */
export function hasCommitted(run: GitRun): boolean {
  return gitSteps(run).some(
    (step) => step.subcommand === 'commit' && !step.args.includes('--dry-run') && isCommitted(step, run),
  );
}

/** Subcommands that stop at a conflict and, with `--continue`, commit its resolution. */
const stoppable: ReadonlySet<string> = new Set(['merge', 'rebase', 'cherry-pick', 'revert', 'am']);

/** True if a command line certainly committed the resolution of a conflict with `--continue`. */
export function hasContinued(run: GitRun): boolean {
  return gitSteps(run).some(
    (step) => stoppable.has(step.subcommand) && step.args.includes('--continue') && isCommitted(step, run),
  );
}

function isCommitted({ isDone }: GitStep, { output }: GitRun): boolean {
  return isDone || commitLines(output).length > 0;
}

function isQuiet({ words }: ShellStep): boolean {
  const [program = '', subcommand] = words;
  return (
    quiet.has(program) ||
    (program === 'git' && /^(?:add|rm|fetch|config|checkout|switch)$/u.test(subcommand ?? ''))
  );
}

function readArguments(words: readonly string[]): { subcommand: string; args: string[]; folder?: string } {
  const rest = [...words];
  let folder: string | undefined;
  while (rest[0]?.startsWith('-') === true) {
    const option = rest.shift();
    if (option === '-C') folder = rest.shift();
    else if (option === '-c' || option === '--git-dir' || option === '--work-tree') rest.shift();
  }
  const [subcommand = '', ...args] = rest;
  return { subcommand, args, ...(folder !== undefined && { folder }) };
}

/** Name of a commit: its distance from the last commit, or the beginning of its hash. */
export type CommitName = number | string;

/** Effect of a call of git on committed or uncommitted work. Empty `paths` mean the whole repository. */
export type GitReversal =
  | { readonly what: 'restored' | 'stashed'; readonly paths: readonly string[] }
  | { readonly what: 'reset'; readonly to: CommitName | undefined; readonly keepsFiles: boolean }
  | { readonly what: 'reverted'; readonly commits: readonly CommitName[] }
  | { readonly what: 'committed'; readonly isAmended: boolean }
  | { readonly what: 'unstashed' }
  /** The last commit is no longer known. */
  | { readonly what: 'moved' };

/** Returns the effect of a call; undefined if it undoes nothing, or if this is uncertain. */
export function reversalOf({ subcommand, args }: GitStep): GitReversal | undefined {
  const end = args.indexOf('--');
  const before = end < 0 ? args : args.slice(0, end);
  const given = before.filter((arg) => !arg.startsWith('-'));
  const paths = end < 0 ? [] : args.slice(end + 1);
  const has = (pattern: RegExp) => before.some((arg) => pattern.test(arg));
  if (has(/^(?:-p|--patch)$/u)) return undefined;
  switch (subcommand) {
    case 'commit':
      return has(/^--dry-run$/u) ? undefined : { what: 'committed', isAmended: has(/^--amend$/u) };
    case 'restore':
      return has(/^(?:-S|--staged|-s|--source.*)$/u) ? undefined : restored([...given, ...paths]);
    case 'checkout':
      if (paths.length > 0) return given.every((name) => name === 'HEAD') ? restored(paths) : undefined;
      if (given.join(' ') === '.') return restored(given);
      return has(/^-b$/u) && given.length === 1 ? undefined : { what: 'moved' };
    case 'switch':
      return has(/^-c$/u) && given.length === 1 ? undefined : { what: 'moved' };
    case 'reset':
      return end >= 0 || given.length > 1 || has(/^--(?:merge|keep)$/u)
        ? undefined
        : { what: 'reset', to: commitNamed(given[0] ?? 'HEAD'), keepsFiles: !has(/^--hard$/u) };
    case 'revert': {
      const commits = given.flatMap((name) => commitNamed(name) ?? []);
      return commits.length === given.length && !has(/^(?:-m|--(?!no-))/u)
        ? { what: 'reverted', commits }
        : { what: 'moved' };
    }
    case 'stash': {
      const [verb = 'push'] = args;
      if (verb === 'pop' || verb === 'apply') return { what: 'unstashed' };
      const isWhole = /^(?:-[mqu]|--(?:message|quiet|include-untracked)|push|save)$/u.test(verb);
      return isWhole && !has(/^(?:-k|--keep-index|-S|--staged)$/u) ? { what: 'stashed', paths } : undefined;
    }
    default:
      return /^(?:merge|pull|rebase|cherry-pick|am)$/u.test(subcommand) ? { what: 'moved' } : undefined;
  }
}

/** Git's reports of a call without effect. */
const nothingToDo = /^(?:Already (?:up[ -]to[ -]date|on ')|No local changes)/mu;

/** True if git certainly changed files of the work tree. */
export function changesFiles(run: GitRun): boolean {
  const done = gitSteps(run).flatMap((step) => (step.isDone ? (reversalOf(step) ?? []) : []));
  return (
    done.some((one) => one.what !== 'committed' && !(one.what === 'reset' && one.keepsFiles)) &&
    !nothingToDo.test(run.output)
  );
}

function restored(paths: readonly string[]): GitReversal {
  return { what: 'restored', paths: paths.some((path) => path === '.' || path === ':/') ? [] : paths };
}

/** @returns undefined for a commit of unknown position, such as a branch or an upstream */
function commitNamed(name: string): CommitName | undefined {
  const [, marks, count] = /^(?:HEAD|@)(?:(\^*)|~(\d*))$/u.exec(name) ?? [];
  if (marks !== undefined) return marks.length;
  if (count !== undefined) return count === '' ? 1 : Number(count);
  return /^[0-9a-f]{7,40}$/u.test(name) ? name : undefined;
}
