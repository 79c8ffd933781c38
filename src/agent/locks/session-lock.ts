import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { readFile, rename, rm, rmdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { sealed, unsealed } from '../files/sealed.ts';
import { readIfThere, replaceFile } from '../files/replace-file.ts';
import { lockFile, watchPath } from './shared-file.ts';
import { SentenceError } from '../../language/sentence.ts';
import { startupSentences } from '../../language/english/startup-english.ts';
import { isRecord } from '../../language/is-record.ts';

/** Error for a session that another window or program writes. */
export class HeldElsewhereError extends SentenceError {
  override readonly name = 'HeldElsewhereError';
  readonly owner: LockOwner | undefined;
  constructor(owner: LockOwner | undefined) {
    super(startupSentences.say('chatIsElsewhere'));
    this.owner = owner;
  }
}

/** Milliseconds between two attempts to get a lock that was asked for. */
const tryEvery = 100;

/** Condition on which the holder releases a lock: always, or only if its window is unattended. */
export type AskCondition = 'always' | 'abandoned';

interface LockListener {
  readonly asked: (condition: AskCondition) => void;
  readonly lost: () => void;
}

/** The right of one process to write a session's file. The lock, `.owner` and `.ask` are next to the file. */
export class SessionLock {
  private readonly path: string;
  private readonly owner: LockOwner;
  private readonly listeners = new Set<LockListener>();
  private state: 'free' | 'held' | 'lost' = 'free';
  private holding: Promise<void> | undefined;
  private unlock: (() => Promise<void>) | undefined;
  private unwatch: (() => void) | undefined;
  private taken = 0;

  /** @param window name of the holder, shown to others */
  constructor(path: string, window = '') {
    this.path = path;
    this.owner = newOwner(window);
  }

  get isHeld(): boolean {
    return this.state === 'held';
  }

  /** Registers a listener. @returns a function that removes it */
  listen(listener: LockListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Returns the current owner of a session's lock; undefined if the lock is free. */
  async holder(): Promise<LockOwner | undefined> {
    const owner = await readOwner(this.ownerPath);
    return owner === undefined || isGone(owner) ? undefined : owner;
  }

  /**
   * Takes the lock, or verifies that it is still held. A lost lock is not taken again.
   * @throws {HeldElsewhereError}
   * @throws errors of the file system
   */
  hold(): Promise<void> {
    this.holding ??= this.holdNow().finally(() => {
      this.holding = undefined;
    });
    return this.holding;
  }

  /** @throws {HeldElsewhereError} unless this instance still holds the lock */
  async verify(): Promise<void> {
    if (this.state === 'held') {
      const owner = await readOwner(this.ownerPath);
      if (owner?.token === this.owner.token) return;
      await this.lose(owner);
      throw new HeldElsewhereError(owner);
    }
    throw new HeldElsewhereError(await readOwner(this.ownerPath));
  }

  /**
   * Asks the owner for the lock. If another request exists, a conditional request fails.
   * @param patience milliseconds
   * @throws {HeldElsewhereError} if the request is refused, or the lock is not released in time
   */
  async takeOver(patience: number, condition: AskCondition = 'always', signal?: AbortSignal): Promise<void> {
    const end = performance.now() + patience;
    if (condition !== 'always' && (await this.isAskedFor())) throw new HeldElsewhereError(undefined);
    try {
      await this.ask(condition);
      for (;;) {
        try {
          await this.hold();
          return;
        } catch (error) {
          const isOver = performance.now() > end || signal?.aborted === true;
          if (!(error instanceof HeldElsewhereError) || isOver) throw error;
          if ((await readOwner(this.askPath)) === undefined) {
            if (condition !== 'always') throw error;
            // This request replaced a conditional one, and was removed when that one was refused or ended.
            await this.ask(condition);
          }
          await wait(tryEvery);
        }
      }
    } finally {
      if (await this.isAsking()) await rm(this.askPath, { force: true });
    }
  }

  /** Refuses a request whose condition is not met. */
  async refuse(): Promise<void> {
    if ((await this.asking()) === 'abandoned') await rm(this.askPath, { force: true });
  }

  async isAskedFor(): Promise<boolean> {
    return (await this.asking()) !== undefined;
  }

  private ask(condition: AskCondition): Promise<void> {
    return replaceFile(this.askPath, sealed({ ...this.owner, condition }));
  }

  private async isAsking(): Promise<boolean> {
    return (await readOwner(this.askPath))?.token === this.owner.token;
  }

  private async asking(): Promise<AskCondition | undefined> {
    const asking = await readOwner(this.askPath);
    if (asking === undefined || asking.token === this.owner.token || isGone(asking)) return undefined;
    return asking.condition === 'abandoned' ? 'abandoned' : 'always';
  }

  async release(): Promise<void> {
    await this.holding?.catch(() => {});
    if (this.state !== 'held') return;
    const isMine = (await readOwner(this.ownerPath))?.token === this.owner.token;
    this.unwatch?.();
    this.state = 'free';
    if (!isMine) return;
    // Removed before the lock itself, because an owner file without a lock would look like a dead owner.
    await rm(this.ownerPath, { force: true });
    await this.unlock?.().catch(() => {});
  }

  private get ownerPath(): string {
    return `${this.path}.owner`;
  }

  private get askPath(): string {
    return `${this.path}.ask`;
  }

  private async holdNow(): Promise<void> {
    if (this.state === 'held') {
      const owner = await readOwner(this.ownerPath);
      if (owner?.token === this.owner.token) return;
      await this.lose(owner);
    }
    await this.take();
  }

  private async take(): Promise<void> {
    if (this.state === 'lost') throw new HeldElsewhereError(await readOwner(this.ownerPath));
    const taken = ++this.taken;
    const lost = () =>
      void readOwner(this.ownerPath).then((owner) => (taken === this.taken ? this.lose(owner) : undefined));
    let unlock = await lockFile(this.path, lost);
    if (unlock === undefined && (await this.breakDead())) unlock = await lockFile(this.path, lost);
    if (unlock === undefined) throw new HeldElsewhereError(await readOwner(this.ownerPath));
    try {
      const before = await readOwner(this.ownerPath);
      await replaceFile(this.ownerPath, sealed(this.owner));
      // Copied after the owner changed, so that later writes of the previous holder do not reach the session.
      if (before !== undefined) await this.leaveBehind();
    } catch (error) {
      await unlock().catch(() => {});
      throw error;
    }
    this.unlock = unlock;
    this.state = 'held';
    await this.verify();
    this.unwatch = watchPath(this.askPath, () => void this.tellOfAsking());
    void this.tellOfAsking();
  }

  /** Removes the lock of an ended process. @returns true if the lock existed */
  private async breakDead(): Promise<boolean> {
    const owner = await readOwner(this.ownerPath);
    if (owner === undefined || !isGone(owner)) return false;
    const claimed = `${this.path}.lock.${randomBytes(6).toString('hex')}`;
    try {
      // If several processes try this, only one succeeds.
      await rename(`${this.path}.lock`, claimed);
      await rmdir(claimed);
      return true;
    } catch {
      return false;
    }
  }

  /** Copies the session to a new file, so that a previous holder that was only asleep cannot append to it. */
  private async leaveBehind(): Promise<void> {
    try {
      await replaceFile(this.path, await readFile(this.path));
    } catch (error) {
      // Windows cannot replace a file that another process has open. Acknowledged writes are safe without the copy.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['ENOENT', 'EPERM', 'EACCES', 'EBUSY'].includes(code)) throw error;
    }
  }

  /** @param owner the new holder; undefined if the lock's files were deleted, so that it can be taken again */
  private async lose(owner: LockOwner | undefined): Promise<void> {
    if (this.state !== 'held') return;
    this.state = owner === undefined ? 'free' : 'lost';
    this.unwatch?.();
    for (const { lost } of this.listeners) lost();
    if (owner === undefined) await this.unlock?.().catch(() => {});
  }

  private async tellOfAsking(): Promise<void> {
    const condition = await this.asking();
    if (!this.isHeld || condition === undefined) return;
    for (const { asked } of this.listeners) asked(condition);
  }
}

/** The window or program that writes a session. */
export interface LockOwner {
  /** Identifies an owner, even if one process has several owners. */
  readonly token: string;
  readonly process: number;
  readonly host: string;
  /** Name of the window with the open session; may be empty. */
  readonly window: string;
  /** Time when the lock was taken, ISO 8601. */
  readonly since: string;
  /** The condition of a request, on which the holder should release the lock. */
  readonly condition?: unknown;
}

export function newOwner(window: string): LockOwner {
  return {
    token: randomBytes(12).toString('hex'),
    process: process.pid,
    host: machine(),
    window,
    since: new Date().toISOString(),
  };
}

/** Beginning of files from versions that wrote no checksum. */
const earlier = /^\{"token":/u;

/** Reads the owner in a file; undefined if the file is missing or unreadable. */
export async function readOwner(path: string): Promise<LockOwner | undefined> {
  try {
    return ownerIn((await readIfThere(path)) ?? '');
  } catch {
    return undefined;
  }
}

/** Returns the owner in a text, unless it is certain that its process has ended. */
export function livingOwner(text: string): LockOwner | undefined {
  const owner = ownerIn(text);
  return owner === undefined || isGone(owner) ? undefined : owner;
}

function ownerIn(text: string): LockOwner | undefined {
  const value = unsealed(text, earlier);
  return isOwner(value) ? value : undefined;
}

/** True if it is certain that the owner's process has ended. */
function isGone(owner: LockOwner): boolean {
  if (owner.host !== machine()) return false;
  try {
    process.kill(owner.process, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Names the scope in which a process id is unique: the machine, or a container on it. */
function machine(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function isOwner(value: unknown): value is LockOwner {
  if (!isRecord(value)) return false;
  const { token, process: number, host, window, since } = value;
  return typeof number === 'number' && [token, host, window, since].every((text) => typeof text === 'string');
}
