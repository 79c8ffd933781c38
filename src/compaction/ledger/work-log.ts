import type { Message, ToolCall } from '../messages/message.ts';
import { normalisedPath } from '../text/file-path.ts';
import type { CommitName, GitReversal } from './git-reversals.ts';
import { isInverse } from './inverse-edits.ts';
import type { TouchedFile } from './path-words.ts';

/** A change of a file by a call, or by Aider, which reports it in a message. */
export interface LoggedEdit {
  readonly by: ToolCall | Message;
  readonly path: string;
  /** Index of the message. */
  readonly at: number;
  /** Index of the message that took it back; undefined as long as it stands. */
  undoneAt: number | undefined;
  /** It only takes another one back. */
  isReverse: boolean;
  /** Git does not know the file yet. */
  isNew: boolean;
}

export interface LoggedCommit {
  hash: string | undefined;
  readonly at: number;
  undoneAt: number | undefined;
  /** Changes that may be in it: all since the commit before it. */
  readonly edits: readonly LoggedEdit[];
  /** Of a revert: what it took back. */
  readonly reverted: readonly (LoggedEdit | LoggedCommit)[];
}

/** Edits and commits in order, and which of them were taken back. In doubt, they stand. */
export class WorkLog {
  readonly edits: LoggedEdit[] = [];
  readonly commits: LoggedCommit[] = [];
  private readonly known = new Set<string>();
  /** Changes that are in no commit. */
  private pending: LoggedEdit[] = [];
  /** The newest commits of the branch, without a gap. */
  private branch: LoggedCommit[] = [];
  private readonly stashes: LoggedEdit[][] = [];

  touch(at: number, by: ToolCall | Message, files: readonly TouchedFile[]): void {
    for (const { path: written, what } of files) {
      const path = normalisedPath(written);
      const isNew = what === 'created' || (what === 'written' && !this.known.has(path));
      this.known.add(path);
      if (what === 'read') continue;
      const edit: LoggedEdit = { by, path: written, at, undoneAt: undefined, isReverse: false, isNew };
      const first = 'function' in by ? this.invertedBy(by, path) : undefined;
      this.edits.push(edit);
      if (first === undefined) this.pending.push(edit);
      else {
        edit.isReverse = true;
        takeBack([first, edit], at);
      }
    }
  }

  private invertedBy(call: ToolCall, path: string): LoggedEdit | undefined {
    return this.edits.findLast(
      (edit) =>
        edit.undoneAt === undefined &&
        'function' in edit.by &&
        normalisedPath(edit.path) === path &&
        isInverse(call, edit.by),
    );
  }

  /** A call takes back the last change of a file. */
  undoEdit(at: number, by: ToolCall, path: string): void {
    const last = this.edits.findLast(
      (edit) => edit.undoneAt === undefined && normalisedPath(edit.path) === normalisedPath(path),
    );
    if (last !== undefined) last.undoneAt = at;
    this.edits.push({ by, path, at, undoneAt: at, isReverse: true, isNew: false });
  }

  /** @param isOfWork false for a commit of what others had changed */
  commit(at: number, hash: string | undefined, isOfWork = true): void {
    const edits = isOfWork ? this.pending.splice(0) : [];
    this.addCommit({ hash, at, undoneAt: undefined, edits, reverted: [] });
  }

  /** The last commit is removed, with its changes. */
  removeCommit(at: number, hash: string): void {
    const commit = this.find(hash);
    if (commit === undefined) return;
    this.takeBackCommit(at, commit);
    this.branch = this.branch.filter((other) => other !== commit);
  }

  private addCommit(commit: LoggedCommit): void {
    this.commits.push(commit);
    this.branch.push(commit);
  }

  /** @param folder that the call of git named */
  git(at: number, reversal: GitReversal, hash: string | undefined, folder: string | undefined): void {
    const left = (paths: readonly string[], isNew: boolean) =>
      this.pending.filter((edit) => edit.isNew === isNew && isIn(edit.path, paths, folder));
    switch (reversal.what) {
      case 'added':
        for (const edit of left(reversal.paths, true)) edit.isNew = false;
        break;
      case 'restored':
        takeBack(left(reversal.paths, false), at);
        break;
      case 'cleaned':
        takeBack(left(reversal.paths, true), at);
        break;
      case 'stashed': {
        const stashed = left(reversal.paths, false);
        takeBack(stashed, at);
        this.stashes.push(stashed);
        break;
      }
      case 'unstashed':
        giveBack(this.stashes.pop() ?? []);
        break;
      case 'moved':
        this.branch = [];
        break;
      case 'committed': {
        const last = reversal.isAmended ? this.branch.pop() : undefined;
        if (last !== undefined) this.pending.unshift(...last.edits);
        if (last !== undefined) last.undoneAt = at;
        this.commit(at, hash);
        break;
      }
      case 'reset':
        this.reset(at, reversal.to, reversal.keepsFiles);
        break;
      case 'reverted': {
        const commits = reversal.commits.flatMap((name) => this.find(name) ?? []);
        const reverted = commits.flatMap((commit) => this.takeBackCommit(at, commit));
        this.addCommit({ hash, at, undoneAt: undefined, edits: [], reverted });
        break;
      }
    }
    this.pending = this.pending.filter(({ undoneAt }) => undoneAt === undefined);
  }

  private reset(at: number, to: CommitName | undefined, keepsFiles: boolean): void {
    if (!keepsFiles)
      takeBack(
        this.pending.filter(({ isNew }) => !isNew),
        at,
      );
    if (to === 0) return;
    const place = this.placeOf(to);
    const gone = this.branch.slice(place ?? this.branch.length);
    for (const commit of gone.toReversed()) {
      if (keepsFiles) {
        commit.undoneAt = at;
        this.pending.unshift(...commit.edits);
      } else this.takeBackCommit(at, commit);
    }
    this.branch = place === undefined ? [] : this.branch.slice(0, place);
  }

  /** The place in the branch behind a commit: that of the first one that a reset to it removes. */
  private placeOf(name: CommitName | undefined): number | undefined {
    if (typeof name === 'number') return Math.max(0, this.branch.length - name);
    const place = this.branch.findIndex((commit) => isNamed(commit, name));
    return place < 0 ? undefined : place + 1;
  }

  private find(name: CommitName): LoggedCommit | undefined {
    return typeof name === 'number'
      ? this.branch.at(-1 - name)
      : this.commits.findLast((commit) => isNamed(commit, name));
  }

  /** @returns what was taken back by this */
  private takeBackCommit(at: number, commit: LoggedCommit): readonly (LoggedEdit | LoggedCommit)[] {
    giveBack(commit.reverted);
    const taken = [commit, ...commit.edits].filter(({ undoneAt }) => undoneAt === undefined);
    takeBack(taken, at);
    return taken;
  }
}

function takeBack(work: readonly (LoggedEdit | LoggedCommit)[], at: number): void {
  for (const one of work) one.undoneAt ??= at;
}

function giveBack(work: readonly (LoggedEdit | LoggedCommit)[]): void {
  for (const one of work) one.undoneAt = undefined;
}

function isNamed({ hash }: LoggedCommit, name: string | undefined): boolean {
  if (hash === undefined || name === undefined) return false;
  return hash.startsWith(name) || name.startsWith(hash);
}

/** Paths of changes that git was told to put back. Of several files that a path could mean, it is none. */
function isIn(path: string, wanted: readonly string[], folder: string | undefined): boolean {
  if (wanted.length === 0) return true;
  const own = normalisedPath(path);
  return wanted.some((name) => {
    const named = normalisedPath(folder === undefined || isFromRoot(name) ? name : `${folder}/${name}`);
    if (isFromRoot(own) === isFromRoot(named)) return `${own}/`.startsWith(`${named}/`);
    return isFromRoot(own) ? `${own}/`.includes(`/${named}/`) : named.endsWith(`/${own}`);
  });
}

function isFromRoot(path: string): boolean {
  return /^(?:\/|~|[A-Za-z]:)/u.test(path);
}
