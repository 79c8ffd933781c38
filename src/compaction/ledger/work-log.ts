import { isRecord } from '../../language/is-record.ts';
import type { Message, ToolCall } from '../messages/message.ts';
import { memoised } from '../messages/memoise.ts';
import { normalisedPath } from '../text/file-path.ts';
import { parseShallow } from '../text/parse-json.ts';
import { calledFunction } from './called-function.ts';
import type { CommitName, GitReversal } from './git-steps.ts';
import type { TouchedFile } from './path-words.ts';

/** A change of a file by a call, or by Aider, which reports it in a message. */
export interface LoggedEdit {
  readonly by: ToolCall | Message;
  readonly path: string;
  /** Index of the message. */
  readonly at: number;
  /** Index of the message that undid the change. A change that only undoes another has its own index. */
  undoneAt: number | undefined;
  /** True if git does not know the file. */
  readonly isNew: boolean;
}

export interface LoggedCommit {
  readonly by: ToolCall | Message;
  readonly hash: string | undefined;
  readonly at: number;
  undoneAt: number | undefined;
  /** Changes that the commit may contain: all changes since the previous commit. */
  readonly edits: readonly LoggedEdit[];
  /** The changes that a revert undid. */
  readonly reverted: readonly Logged[];
}

type Logged = LoggedEdit | LoggedCommit;

/** Edits and commits in order. Undone work is marked; in doubt, work counts as valid. */
export interface WorkLog {
  readonly edits: readonly LoggedEdit[];
  readonly commits: readonly LoggedCommit[];
  readonly touch: (at: number, by: ToolCall | Message, files: readonly TouchedFile[]) => void;
  /** @param isOfWork false for a commit of changes by others */
  readonly commit: (at: number, by: ToolCall | Message, hash: string | undefined, isOfWork: boolean) => void;
  /** Removes the last commit with its changes. */
  readonly removeCommit: (at: number, hash: string) => void;
  /** @param folder the folder in which git ran, if the call names it */
  readonly git: (at: number, by: ToolCall, effect: GitReversal, hash?: string, folder?: string) => void;
}

/** Maximum number of earlier changes of a file that are compared with an edit, to find a change that it undoes. */
const mostCompared = 50;

export function createWorkLog(): WorkLog {
  const edits: LoggedEdit[] = [];
  const commits: LoggedCommit[] = [];
  /** Normalised path → changes of the file. */
  const files = new Map<string, LoggedEdit[]>();
  const stashes: LoggedEdit[][] = [];
  /** Uncommitted changes. */
  let pending: LoggedEdit[] = [];
  /** The newest commits of the branch, without a gap. */
  let branch: LoggedCommit[] = [];

  const addCommit = (commit: LoggedCommit): void => {
    commits.push(commit);
    branch.push(commit);
  };

  const commit: WorkLog['commit'] = (at, by, hash, isOfWork) => {
    const own = isOfWork ? pending.splice(0) : [];
    addCommit({ by, hash, at, undoneAt: undefined, edits: own, reverted: [] });
  };

  /** @returns the work that the removal of the commit undid */
  const takeBackCommit = (at: number, gone: LoggedCommit): readonly Logged[] => {
    giveBack(gone.reverted);
    const taken = [gone, ...gone.edits].filter(({ undoneAt }) => undoneAt === undefined);
    takeBack(taken, at);
    return taken;
  };

  const find = (name: CommitName): LoggedCommit | undefined =>
    typeof name === 'number' ? branch.at(-1 - name) : commits.findLast((one) => isNamed(one, name));

  /** Uncommitted changes of files that git knows. */
  const left = (paths: readonly string[], folder?: string): LoggedEdit[] =>
    pending.filter((edit) => !edit.isNew && isIn(edit.path, paths, folder));

  const reset = (at: number, to: CommitName | undefined, keepsFiles: boolean): void => {
    if (!keepsFiles) takeBack(left([]), at);
    const place =
      typeof to === 'number'
        ? Math.max(0, branch.length - to)
        : branch.findIndex((one) => isNamed(one, to)) + 1;
    // Commits before this conversation are unknown.
    if (place > 0 || typeof to === 'number') {
      for (const gone of branch.slice(place)) {
        if (keepsFiles) gone.undoneAt = at;
        if (keepsFiles) pending.push(...gone.edits);
        else takeBackCommit(at, gone);
      }
    }
    branch = branch.slice(0, place);
  };

  return {
    edits,
    commits,
    touch(at, by, touched) {
      const isUndo = 'function' in by && inputOf(by)?.['command'] === 'undo_edit';
      for (const { path, what } of touched) {
        const name = normalisedPath(path);
        const earlier = files.get(name);
        const known = earlier ?? [];
        files.set(name, known);
        if (what === 'read') continue;
        const first = known
          .slice(-mostCompared)
          .findLast((edit) => edit.undoneAt === undefined && (isUndo || isInverse(by, edit.by)));
        if (first !== undefined) first.undoneAt = at;
        const isNew = what === 'created' || (what === 'written' && earlier === undefined);
        const edit = { by, path, at, undoneAt: isUndo || first !== undefined ? at : undefined, isNew };
        edits.push(edit);
        known.push(edit);
        pending.push(edit);
      }
    },
    commit,
    removeCommit(at, hash) {
      const gone = find(hash);
      if (gone !== undefined) takeBackCommit(at, gone);
      branch = branch.filter((other) => other !== gone);
    },
    git(at, by, effect, hash, folder) {
      switch (effect.what) {
        case 'restored':
        case 'stashed': {
          const taken = left(effect.paths, folder);
          takeBack(taken, at);
          if (effect.what === 'stashed') stashes.push(taken);
          break;
        }
        case 'unstashed': {
          const again = stashes.pop() ?? [];
          giveBack(again);
          pending.push(...again);
          break;
        }
        case 'moved':
          branch = [];
          break;
        case 'committed': {
          const last = effect.isAmended ? branch.pop() : undefined;
          if (last !== undefined) last.undoneAt = at;
          pending.push(...(last?.edits ?? []));
          commit(at, by, hash, true);
          break;
        }
        case 'reset':
          reset(at, effect.to, effect.keepsFiles);
          break;
        case 'reverted': {
          const gone = effect.commits.flatMap((name) => find(name) ?? []);
          const reverted = gone.flatMap((one) => takeBackCommit(at, one));
          addCommit({ by, hash, at, undoneAt: undefined, edits: [], reverted });
        }
      }
      pending = pending.filter(({ undoneAt }) => undoneAt === undefined);
    },
  };
}

function takeBack(work: readonly Logged[], at: number): void {
  for (const one of work) one.undoneAt ??= at;
}

function giveBack(work: readonly Logged[]): void {
  for (const one of work) one.undoneAt = undefined;
}

function isNamed({ hash }: LoggedCommit, name: CommitName | undefined): boolean {
  if (hash === undefined || typeof name !== 'string') return false;
  return hash.startsWith(name) || name.startsWith(hash);
}

/** True for a path below one of the paths passed to git, or if none was passed. */
function isIn(path: string, wanted: readonly string[], folder: string | undefined): boolean {
  const own = normalisedPath(path);
  return (
    wanted.length === 0 ||
    wanted.some((name) => {
      const named = normalisedPath(folder === undefined || isFromRoot(name) ? name : `${folder}/${name}`);
      if (isFromRoot(own) === isFromRoot(named)) return `${own}/`.startsWith(`${named}/`);
      return isFromRoot(own) ? `${own}/`.includes(`/${named}/`) : named.endsWith(`/${own}`);
    })
  );
}

function isFromRoot(path: string): boolean {
  return /^(?:\/|~|[A-Za-z]:)/u.test(path);
}

const inputOf = memoised(({ function: called }: ToolCall) => {
  const input = parseShallow(calledFunction(called).arguments)?.value;
  return isRecord(input) ? input : undefined;
});

/** Returns the passage that a call replaces and the new passage, for common editing tools. */
const replacementOf = memoised((call: ToolCall): readonly unknown[] => {
  const input = Object.entries(inputOf(call) ?? {});
  return [/^old_?(?:str|string|text)$/iu, /^new_?(?:str|string|text)$/iu].map(
    (key) => input.find(([name]) => key.test(name))?.[1],
  );
});

/** True if a call restores the text that another call replaced. */
function isInverse(later: ToolCall | Message, earlier: ToolCall | Message): boolean {
  if (!('function' in later && 'function' in earlier)) return false;
  const [before, after] = replacementOf(earlier);
  const [from, to] = replacementOf(later);
  return typeof before === 'string' && typeof after === 'string' && from === after && to === before;
}
