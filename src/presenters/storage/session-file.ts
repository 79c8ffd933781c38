import { makePrivateFolder, privateFile } from '../../agent/files/private-files.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { type BigIntStats, constants } from 'node:fs';
import { type FileHandle, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SessionLock } from '../../agent/locks/session-lock.ts';
import { nodeSlices } from '../../agent/node-slices.ts';
import type { SessionEvent } from '../../transcripts/session/session-event.ts';
import { AcknowledgedBytes } from './acknowledged-bytes.ts';
import { type Durability, flush, flushFolder, isFlushedAfter } from './durability.ts';
import type { KeptEvents } from './kept-events.ts';

/** Error for writing a session that a newer version wrote. */
export class ReadOnlySessionError extends SentenceError {
  override readonly name = 'ReadOnlySessionError';
  constructor() {
    super(hostSentences.say('newerVersionWrote'));
  }
}

/** Error for a session that another window continued before this window had the lock. */
export class OutdatedSessionError extends SentenceError {
  override readonly name = 'OutdatedSessionError';
  constructor() {
    super(hostSentences.say('otherWindowContinued'));
  }
}

/** Damage to a file while this window used it. */
export type FileDamage = 'deleted' | 'replaced' | 'changed' | 'read-only';

/** The report that a session was written again after its file was damaged. */
export interface Rewritten {
  readonly path: string;
  readonly damage: FileDamage;
  /** New path of the file that was found in place of the session's file. */
  readonly aside: string | undefined;
}

/** Services of the store that a session's file uses. */
export interface FilePorts {
  readonly durability: () => Durability;
  /** Returns a path that no other session has. */
  readonly nextPath: () => string;
  readonly rewritten: (notice: Rewritten) => void;
}

const toExtend = constants.O_RDWR | constants.O_APPEND;

/** The place where a session is stored. */
interface SessionPlace {
  readonly path: string;
  /** Lock of the session. It may be held before the file is read. */
  readonly lock: SessionLock;
}

interface ReadFile {
  readonly bytes: AcknowledgedBytes;
  /** State of the file when it was read; absent if the file changed in the meantime. */
  readonly seen?: BigIntStats | undefined;
}

/**
 * A session's file, to which only the holder of its lock appends and which is never overwritten. A failed write is
 * undone. If another program changed the file, it is moved aside and the session is written again.
 */
export class SessionFile {
  /** Acquired with the first append, unless it is already held. Released on closing. */
  readonly lock: SessionLock;
  private readonly path: string;
  private readonly ports: FilePorts;
  private readonly kept: KeptEvents;
  private readonly bytes: AcknowledgedBytes;
  private handle: FileHandle | undefined;
  /** State of the file when it was read or last written. */
  private seen: BigIntStats | undefined;
  private last: Promise<unknown> = Promise.resolve();
  private closedFor: Error | undefined;
  /** True if no other process can have written since the file was last read or compared. */
  private isKnown: boolean;

  /** @param kept the events in the file @param read the existing file; undefined if the first append creates it */
  constructor(
    { path, lock }: SessionPlace,
    ports: FilePorts,
    kept: KeptEvents,
    { bytes, seen }: ReadFile = { bytes: new AcknowledgedBytes() },
  ) {
    this.path = path;
    this.lock = lock;
    this.isKnown = lock.isHeld;
    lock.listen({ asked: () => {}, lost: () => (this.isKnown = false) });
    this.ports = ports;
    this.kept = kept;
    this.bytes = bytes;
    this.seen = seen;
  }

  forbid(reason: Error): this {
    this.closedFor = reason;
    return this;
  }

  /**
   * Appends a line for each event. Resolves when the operating system has the lines, so that they outlive this
   * process. The durability determines whether they are also flushed to disk. A failed append leaves nothing behind.
   *
   * @throws {HeldElsewhereError} if another writer, even in this process, holds the lock or took it in the meantime
   * @throws {OutdatedSessionError} if another writer has appended since the file was read
   * @throws {ReadOnlySessionError} if the session is read-only
   * @throws errors of the file system, for example if the disk is full; the next append opens the file again
   */
  append(...events: readonly SessionEvent[]): Promise<void> {
    const appended = this.last.then(() => this.appendNext(events));
    this.last = appended.catch(() => {});
    return appended;
  }

  /** Closes the file after pending writes, and releases its lock. */
  async close(): Promise<void> {
    await this.last;
    await this.letGo();
    this.isKnown = false;
    await this.lock.release();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  private async appendNext(events: readonly SessionEvent[]): Promise<void> {
    if (this.closedFor !== undefined) throw this.closedFor;
    await this.lock.hold();
    const durability = this.ports.durability();
    try {
      const handle = await this.soundHandle();
      this.isKnown = true;
      const isNew = this.bytes.length === 0;
      const lines = await linesOf(isNew ? [...this.kept.all, ...events] : events);
      await this.write(handle, lines, () =>
        events.some((event) => isFlushedAfter(event, durability)) ? flush(handle) : undefined,
      );
      if (isNew && durability !== 'none') await flushFolder(dirname(this.path));
    } catch (error) {
      await this.letGo();
      throw error;
    }
    for (const event of events) this.kept.add(event);
    // A process that took the lock in the meantime would not know these lines.
    await this.lock.verify();
  }

  /** @throws the error that prevented the write; the file is unchanged */
  private async write(
    handle: FileHandle,
    lines: readonly Buffer[],
    flushed: () => Promise<void> | undefined,
  ): Promise<void> {
    const added = this.bytes.endsLine ? lines : [Buffer.from('\n'), ...lines];
    try {
      for (const bytes of added) await handle.appendFile(bytes);
      await flushed();
      this.seen = await handle.stat({ bigint: true });
    } catch (error) {
      this.bytes.refuse(Buffer.concat(added));
      await this.bytes.repair(handle).catch(() => {});
      // A session without a successful write leaves no file.
      if (this.bytes.length === 0) await rm(this.path, { force: true }).catch(() => {});
      throw error;
    }
    for (const bytes of added) this.bytes.add(bytes);
  }

  /** Returns the open file, with only acknowledged content in it. */
  private async soundHandle(): Promise<FileHandle> {
    const found = await statsOf(this.path);
    const isAsSeen = this.seen !== undefined && found !== undefined && isUnchanged(this.seen, found);
    if (isAsSeen && this.handle !== undefined) return this.handle;
    await this.letGo();
    if (this.bytes.length === 0 && found === undefined) {
      await makePrivateFolder(dirname(this.path));
      this.handle = await open(this.path, 'ax+', privateFile);
    } else {
      const damage = await this.damageOf(found, isAsSeen);
      if (damage !== undefined) await this.writeAgain(damage);
      this.handle = await open(this.path, toExtend);
    }
    return this.handle;
  }

  /**
   * Finds damage to the file; undefined if the file begins with the acknowledged bytes and can be written.
   *
   * @param isAsSeen true if the file is known to be unchanged and need not be read again
   * @throws {OutdatedSessionError} if another writer continued the session
   */
  private async damageOf(found: BigIntStats | undefined, isAsSeen: boolean): Promise<FileDamage | undefined> {
    if (found === undefined) return 'deleted';
    if (!found.isFile()) return 'replaced';
    if ((found.mode & 0o222n) === 0n) return 'read-only';
    try {
      await using handle = await open(this.path, toExtend);
      if (isAsSeen) return undefined;
      const comparison = await this.bytes.repair(handle);
      if (comparison === 'continued' && !this.isKnown) throw new OutdatedSessionError();
      return comparison === 'same' ? undefined : 'changed';
    } catch (error) {
      if (['EACCES', 'EPERM'].includes(codeOf(error) ?? '')) return 'read-only';
      throw error;
    }
  }

  /** Writes the whole session to a new file, and keeps the old file as a separate session. */
  private async writeAgain(damage: FileDamage): Promise<void> {
    const whole = await linesOf(this.kept.all);
    const fresh = this.ports.nextPath();
    await makePrivateFolder(dirname(fresh));
    try {
      await writeFile(fresh, whole, { flag: 'wx', flush: true, mode: privateFile });
      const aside = damage === 'deleted' ? undefined : this.ports.nextPath();
      if (aside !== undefined) await rename(this.path, aside);
      await rename(fresh, this.path);
      await flushFolder(dirname(this.path));
      await this.bytes.reset(Buffer.concat(whole));
      this.ports.rewritten({ path: this.path, damage, aside });
    } catch (error) {
      await rm(fresh, { force: true });
      throw error;
    }
  }

  /** Closes the file; the next append opens it again. */
  private async letGo(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    this.seen = undefined;
    await handle?.close().catch(() => {});
  }
}

/** @returns undefined if the file does not exist */
async function statsOf(path: string): Promise<BigIntStats | undefined> {
  try {
    return await stat(path, { bigint: true });
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** True if a file cannot have changed between two checks of its state. */
export function isUnchanged(one: BigIntStats, other: BigIntStats): boolean {
  const names = ['dev', 'ino', 'size', 'mtimeNs', 'mode'] as const;
  return names.every((name) => one[name] === other[name]);
}

/** Characters of lines in one buffer. To fill a buffer of megabytes, the system would have to clear its memory first. */
const charactersAtOnce = 1 << 16;

/** A line for each event. Made in slices, because an imported session can begin with thousands of events. */
async function linesOf(events: readonly SessionEvent[]): Promise<readonly Buffer[]> {
  const slices = nodeSlices();
  const buffers: Buffer[] = [];
  let lines = '';
  for (const event of events) {
    if (slices.isOver) await slices.next();
    lines += `${JSON.stringify(event)}\n`;
    if (lines.length < charactersAtOnce) continue;
    buffers.push(Buffer.from(lines));
    lines = '';
  }
  return [...buffers, Buffer.from(lines)];
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
