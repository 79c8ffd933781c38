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

/** Another window, or another program, is writing this session. */
export class HeldElsewhereError extends SentenceError {
  override readonly name = 'HeldElsewhereError';
  readonly owner: LockOwner | undefined;
  constructor(owner: LockOwner | undefined) {
    super(startupSentences.say('chatIsElsewhere'));
    this.owner = owner;
  }
}

/** Milliseconds between two tries to get a lock that another was asked for. */
const tryEvery = 100;

/** When the holder of a lock is to let go: always, or only if its window is left behind and nobody sees it any more. */
export type AskCondition = 'always' | 'abandoned';

/** Notifications to the holder of a lock. */
interface LockListener {
  /** Another wants to write. */
  readonly asked: (condition: AskCondition) => void;
  /** Another writes now. */
  readonly lost: () => void;
}

/**
 * The right to write a session's file. One process has it at a time; what it appends is acknowledged only while that
 * is so. Next to the session are a folder that is the lock, `.owner` with who has it, and `.ask` while another process
 * wants it.
 */
export class SessionLock {
  private readonly path: string;
  private readonly owner: LockOwner;
  private readonly listeners = new Set<LockListener>();
  private state: 'free' | 'held' | 'lost' = 'free';
  private holding: Promise<void> | undefined;
  private unlock: (() => Promise<void>) | undefined;
  private unwatch: (() => void) | undefined;
  /** The number of times it was taken. */
  private taken = 0;

  /**
   * @param path of the session's file
   * @param window what others call the one who holds it
   */
  constructor(path: string, window = '') {
    this.path = path;
    this.owner = newOwner(window);
  }

  get isHeld(): boolean {
    return this.state === 'held';
  }

  /** Hears from now on. @returns what ends it */
  listen(listener: LockListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The current owner of a session's lock; undefined if it is free. */
  async holder(): Promise<LockOwner | undefined> {
    const owner = await readOwner(this.ownerPath);
    return owner === undefined || isGone(owner) ? undefined : owner;
  }

  /**
   * Takes the lock, including a stale one, or verifies that this instance still holds it. Once another had it, it is
   * not taken again: what is known of the file is old then.
   *
   * @throws {HeldElsewhereError} if another has it
   * @throws what the file system throws, for example if nothing can be written
   */
  hold(): Promise<void> {
    this.holding ??= this.holdNow().finally(() => {
      this.holding = undefined;
    });
    return this.holding;
  }

  /**
   * Makes sure that the lock is still this one's.
   *
   * @throws {HeldElsewhereError} if it is not
   */
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
   * Asks the owner of the lock to let go, and takes it. A request with a condition gives way to one that is there.
   *
   * @param patience milliseconds
   * @param signal ends the request
   * @throws {HeldElsewhereError} if the other refuses, or has not let go by then
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
            // A request with a condition was refused, or ended, in the moment in which this one took its place.
            await this.ask(condition);
          }
          await wait(tryEvery);
        }
      }
    } finally {
      if (await this.isAsking()) await rm(this.askPath, { force: true });
    }
  }

  /** Refuses a request with a condition that is not met. */
  async refuse(): Promise<void> {
    if ((await this.asking()) === 'abandoned') await rm(this.askPath, { force: true });
  }

  /** True if someone wants the lock now. */
  async isAskedFor(): Promise<boolean> {
    return (await this.asking()) !== undefined;
  }

  private ask(condition: AskCondition): Promise<void> {
    return replaceFile(this.askPath, sealed({ ...this.owner, condition }));
  }

  /** True as long as the request for the lock is this one's. */
  private async isAsking(): Promise<boolean> {
    return (await readOwner(this.askPath))?.token === this.owner.token;
  }

  /** The condition of the request that another makes now; undefined if there is none. */
  private async asking(): Promise<AskCondition | undefined> {
    const asking = await readOwner(this.askPath);
    if (asking === undefined || asking.token === this.owner.token || isGone(asking)) return undefined;
    return asking.condition === 'abandoned' ? 'abandoned' : 'always';
  }

  /** Lets go. */
  async release(): Promise<void> {
    await this.holding?.catch(() => {});
    if (this.state !== 'held') return;
    const isMine = (await readOwner(this.ownerPath))?.token === this.owner.token;
    this.unwatch?.();
    this.state = 'free';
    if (!isMine) return;
    // Before the lock itself: a process that finds an owner with the lock free takes that one for dead.
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
      // Only now, so that whatever the one before still writes is not acknowledged.
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

  /** Removes the lock of a process that has ended. @returns whether there was one */
  private async breakDead(): Promise<boolean> {
    const owner = await readOwner(this.ownerPath);
    if (owner === undefined || !isGone(owner)) return false;
    const claimed = `${this.path}.lock.${randomBytes(6).toString('hex')}`;
    try {
      // Of several who try this, one succeeds.
      await rename(`${this.path}.lock`, claimed);
      await rmdir(claimed);
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Gives the session a file of its own. One who held it before and only slept has the old one open: what it still
   * appends is lost.
   */
  private async leaveBehind(): Promise<void> {
    try {
      await replaceFile(this.path, await readFile(this.path));
    } catch (error) {
      // Windows replaces no file that someone has open. What is acknowledged is right without it.
      const { code = '' } = error as NodeJS.ErrnoException;
      if (!['ENOENT', 'EPERM', 'EACCES', 'EBUSY'].includes(code)) throw error;
    }
  }

  /**
   * @param owner the one who has it now; if there is none, as when its files were deleted or damaged, what is left of
   *   the lock is given back, and it is taken again
   */
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
  /** Tells one owner from another, also in one process. */
  readonly token: string;
  readonly process: number;
  readonly host: string;
  /** The name of the window that has the session open; empty if it has none. */
  readonly window: string;
  /** Since when; ISO 8601. */
  readonly since: string;
  /** In a request for the lock: when its holder is to let go. */
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

/** Beginning of the files of earlier versions, which had no seal. */
const earlier = /^\{"token":/u;

/** The owner that a file names; undefined if there is none, or nothing that can be read. */
export async function readOwner(path: string): Promise<LockOwner | undefined> {
  try {
    const value = unsealed((await readIfThere(path)) ?? '', earlier);
    return isOwner(value) ? value : undefined;
  } catch {
    return undefined;
  }
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

/** The scope of a process number: containers on one machine have numbers of their own. */
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
