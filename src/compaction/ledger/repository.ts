import type { Moment, RepositoryState } from '../messages/where-it-stands.ts';
import { factText } from './call-facts.ts';
import { codexHeader } from './check-results.ts';
import { commitLine, type GitRun, type GitStep, gitSteps } from './git-steps.ts';
import { isThrowAway } from './path-words.ts';

/**
 * Updates the repository after a command line, from git's output. Lines that only git writes count anywhere.
 * Ambiguous lines, such as a lone branch name, count only at the beginning of the output.
 */
export function repositoryAfter(
  known: RepositoryState | undefined,
  run: GitRun,
  at: Moment,
): RepositoryState | undefined {
  const steps = gitSteps(run);
  if (steps.length === 0) return known;
  const lines = run.output.replace(codexHeader, '').slice(0, readCharacters).split('\n');
  let state = known;
  for (const step of steps) {
    // A temporary repository is not the session's repository.
    if (step.folder !== undefined && isThrowAway(step.folder)) continue;
    // Reading another repository does not move the work there.
    const isSecond = state !== undefined && step.isElsewhere && step.folder !== state.folder;
    if (isSecond && looks.test(step.subcommand)) continue;
    const told = toldBy(step, lines, at, state);
    if (told === undefined) continue;
    const commit = told.commit === undefined ? undefined : { at, ...told.commit };
    const isSwitch = step.subcommand === 'checkout' || step.subcommand === 'switch';
    const isOnOther = !isSwitch && (told.branch ?? state?.branch) !== (state?.branch ?? told.branch);
    // Another folder may be another repository, and somebody else may have changed the branch.
    state = withoutUnknown({
      ...(state?.folder === step.folder ? state : {}),
      folder: step.folder,
      ...(isOnOther && { ...movedOn, pullRequest: undefined }),
      ...told,
      ...(commit !== undefined && { commit }),
    });
  }
  return state;
}

/** Maximum UTF-16 units that are read from the start of an output. */
const readCharacters = 20_000;
type Told = { readonly [Key in keyof RepositoryState]?: RepositoryState[Key] | undefined };

/** Subcommands that change nothing. */
const looks = /^(?:status|branch|rev-parse|log|show)$/u;
/** Marks the last commit, the push and the uncommitted files as unknown. */
const movedOn = { commit: undefined, push: undefined, uncommitted: undefined } as const;

function toldBy(
  step: GitStep,
  lines: readonly string[],
  at: Moment,
  known: RepositoryState | undefined,
): Told | undefined {
  const { subcommand, args, isFirst, isDone } = step;
  switch (subcommand) {
    case 'status':
      return statusIn(step, lines, at);
    case 'branch':
      return branchIn(step, lines);
    case 'rev-parse': {
      const [first = ''] = lines;
      return isFirst && args.join(' ') === '--abbrev-ref HEAD' && refName.test(first) && first !== 'HEAD'
        ? { branch: first }
        : undefined;
    }
    case 'checkout':
    case 'switch':
      return switchedIn(args, lines, known);
    case 'commit':
      return committedIn(lines) ?? (isDone && !args.includes('--dry-run') ? movedOn : undefined);
    case 'push':
      return pushedIn(lines, known);
    case 'log':
      return logIn(step, lines, known);
    case 'show':
      return shownBy(step, known);
    case 'stash':
      return args[0] === 'list' || args[0] === 'show' ? undefined : { uncommitted: undefined };
    case 'restore':
    case 'clean':
      return { uncommitted: undefined };
    default:
      return /^(?:reset|rebase|merge|pull|cherry-pick|revert|am)$/u.test(subcommand)
        ? (committedIn(lines) ?? headIn(lines) ?? movedOn)
        : undefined;
  }
}

const refName = /^[\w./@-]{1,200}$/u;

function statusIn(
  { args, isFirst, isWhole }: GitStep,
  lines: readonly string[],
  at: Moment,
): Told | undefined {
  const isShort = args.some((arg) => /^(?:-s|-sb|-bs|--short|--porcelain(?:=v1)?)$/u.test(arg));
  const hasAll =
    isWhole &&
    !args.some(
      (arg) =>
        !/^(?:-s|-b|-sb|-bs|--short|--branch|--porcelain(?:=v1)?|-u\w*|--untracked-files\S*|--)$/u.test(arg),
    );
  if (isShort) {
    if (!isFirst) return undefined;
    const start = lines.findIndex((line) => shortLine.test(line) || line.startsWith('## '));
    if (start < 0) {
      // Empty output means no difference. Other output may belong to another program.
      const isEmpty = lines.every((line) => noOutput.test(line.trim()));
      return hasAll && isEmpty ? { uncommitted: { files: [], at } } : undefined;
    }
    const block = lines.slice(start);
    const end = block.findIndex((line) => !shortLine.test(line) && !line.startsWith('## '));
    const own = end < 0 ? block : block.slice(0, end);
    const head = /^## (?:No commits yet on |Initial commit on )?(\S+)/u.exec(own[0] ?? '');
    const files = own.flatMap((line) => shortLine.exec(line)?.[1] ?? []);
    const branch = head?.[1]?.split('...')[0];
    return {
      ...(branch !== undefined && refName.test(branch) && { branch }),
      ...(hasAll && { uncommitted: { files, at } }),
    };
  }
  const branch = found(lines, /^On branch (\S+)$/u)?.[1];
  const isClean = lines.some((line) => /^nothing to commit, working tree clean/u.test(line));
  const isDetached = lines.some((line) => line.startsWith('HEAD detached '));
  if (branch === undefined && !isClean && !isDetached) return undefined;
  const files = isClean ? [] : longFiles(lines);
  return {
    ...(branch !== undefined && { branch }),
    ...(isDetached && { branch: undefined }),
    ...(hasAll && (isClean || files.length > 0) && { uncommitted: { files, at } }),
  };
}

const noOutput =
  /^(?:\((?:no output|Bash completed with no output)\)|Shell cwd was reset to .*|Command exited with code 0)?$/u;
const shortLine = /^(?:[ MADRCUT][MADRCUT]|[MADRCUT] |\?\?|!!) (?:\S.* -> )?(\S.*)$/u;

function longFiles(lines: readonly string[]): readonly string[] {
  const files = new Set<string>();
  let isUntracked = false;
  for (const line of lines) {
    if (line.startsWith('Untracked files')) isUntracked = true;
    const changed =
      /^\s+(?:modified|new file|deleted|renamed|copied|typechange|both \w+|\w+ by \w+): +(?:\S.* -> )?(\S.*)$/u.exec(
        line,
      )?.[1];
    const untracked = isUntracked ? /^(?:\t| {8})(\S.*)$/u.exec(line)?.[1] : undefined;
    const file = changed ?? untracked;
    if (file !== undefined) files.add(file);
  }
  return [...files];
}

function branchIn({ args, isFirst }: GitStep, lines: readonly string[]): Told | undefined {
  const [first = ''] = lines;
  if (args.includes('--show-current')) return isFirst && refName.test(first) ? { branch: first } : undefined;
  const branch = found(lines, /^\* ([\w./@-]{1,200})(?: |$)/u)?.[1];
  return branch === undefined ? undefined : { branch };
}

function switchedIn(
  args: readonly string[],
  lines: readonly string[],
  known: RepositoryState | undefined,
): Told | undefined {
  const line = found(lines, /^(?:Switched to (?:(a new|and reset) )?branch|Already on) '([^']{1,200})'/u);
  if (line === undefined) {
    const isRestoring = args.includes('--') || args.includes('.');
    return isRestoring ? { uncommitted: undefined } : undefined;
  }
  const [whole, isNew, branch = ''] = line;
  const staysAt = isNew === 'a new' || whole.startsWith('Already') || known?.branch === branch;
  return {
    branch,
    ...(known?.branch !== branch && { pullRequest: undefined }),
    ...(!staysAt && { commit: undefined, push: undefined }),
  };
}

function committedIn(lines: readonly string[]): Told | undefined {
  const match = lines.findLast((line) => commitLine.test(line));
  if (match === undefined) return undefined;
  const [, branch = '', hash = '', subject = ''] = commitLine.exec(match) ?? [];
  return {
    ...movedOn,
    ...(refName.test(branch) ? { branch } : { branch: undefined }),
    commit: { hash, ...(subject !== '' && { subject: factText(subject) }) },
  };
}

function headIn(lines: readonly string[]): Told | undefined {
  const [, hash, subject] = found(lines, /^HEAD is now at ([0-9a-f]{7,40}) (.*)$/u) ?? [];
  if (hash !== undefined) return { ...movedOn, commit: { hash, subject: factText(subject ?? '') } };
  return lines.some((line) => /^Already up[ -]to[ -]date\.$/u.test(line)) ? {} : undefined;
}

/** Lines of a push: `   abc1234..def5678  main -> main`, `* [new branch]  x -> x`, `! [rejected]  x -> x`. */
const pushLine =
  /^ ([ +*=!]) (?:([0-9a-f]{7,40})\.{2,3}([0-9a-f]{7,40})|\[([^\]]{1,40})\]) +(\S+) +-> +(\S+)/u;

function pushedIn(lines: readonly string[], known: RepositoryState | undefined): Told | undefined {
  const pushes = lines.flatMap((line) => {
    const match = pushLine.exec(line);
    if (match === null) return [];
    const [, sign, , hash, note, local = ''] = match;
    return [{ isRejected: sign === '!', isTag: note === 'new tag', hash, local }];
  });
  const ofBranch = pushes.filter(
    ({ local, isTag }) =>
      !isTag && (known?.branch === undefined || local === known.branch || local === 'HEAD'),
  );
  const last = ofBranch.at(-1);
  if (last === undefined) {
    const isUpToDate = lines.includes('Everything up-to-date') && pushes.length === 0;
    return isUpToDate && known?.branch !== undefined ? { push: { ref: known.branch } } : undefined;
  }
  if (last.isRejected) return { push: { ref: last.local, isRejected: true } };
  const isCurrent = known?.branch !== undefined && last.local === known.branch;
  const isKnown =
    known?.commit !== undefined && last.hash !== undefined && isSameHash(last.hash, known.commit.hash);
  return {
    push: { ref: last.local },
    ...(isCurrent && last.hash !== undefined && !isKnown && { commit: { hash: last.hash } }),
  };
}

function isSameHash(one: string, other: string): boolean {
  return one.startsWith(other) || other.startsWith(one);
}

/** Reads the newest commit from the output of `git log`, if this output lists it first. */
function logIn(
  { args, isFirst }: GitStep,
  lines: readonly string[],
  known: RepositoryState | undefined,
): Told | undefined {
  const isPlain = args.every((arg) =>
    /^(?:--oneline|--decorate|-\d+|-n\d*|\d+|--stat|--no-decorate|--no-color)$/u.test(arg),
  );
  if (!isPlain || !isFirst) return undefined;
  const [first = ''] = lines;
  const [, hash, refs, subject] =
    /^(?:commit )?([0-9a-f]{7,40})(?: \(([^)]*)\))?(?: (.*))?$/u.exec(first) ?? [];
  if (hash === undefined) return undefined;
  const branch = /^HEAD -> ([^,]+)/u.exec(refs ?? '')?.[1];
  if (known?.commit !== undefined && isSameHash(hash, known.commit.hash))
    return branch === undefined ? {} : { branch };
  const title = subject ?? found(lines, /^ {4}(\S.*)$/u)?.[1];
  return {
    ...(branch !== undefined && { branch }),
    push: undefined,
    commit: { hash: hash.slice(0, 10), ...(title !== undefined && { subject: factText(title) }) },
  };
}

/** Notes that a call shows another commit than the last known one. Somebody else may have made it since. */
function shownBy({ args, folder }: GitStep, known: RepositoryState | undefined): Told | undefined {
  const newer = args.findLast((arg) => /^[0-9a-f]{7,40}$/u.test(arg));
  const commit = known?.folder === folder ? known?.commit : undefined;
  if (commit === undefined || newer === undefined || isSameHash(newer, commit.hash)) return undefined;
  return { commit: { ...commit, newer } };
}

function found(lines: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  const line = lines.findLast((one) => pattern.test(one));
  return line === undefined ? undefined : (pattern.exec(line) ?? undefined);
}

function withoutUnknown(told: Told): RepositoryState {
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
}
