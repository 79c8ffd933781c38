import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { decodeFrames, encodeFrame, type DamagedFrame } from './frame.ts';
import { takeLock } from './lock.ts';
import { unknownEvents } from './merge.ts';
import { compareEvents, notesOf, type Change, type Note, type NoteEvent } from './note.ts';

/** The log holds damage that no torn write explains, so nothing may be written behind it. */
export class DamagedLogError extends Error {
  override readonly name = 'DamagedLogError';
}

/** What tidying leaves of a note that was thrown away, so that a merge cannot bring it back. */
const graceDays = 30;

export interface StoreOptions {
  /** Takes the lock and recovers from a torn write. Without it the file is not touched. */
  readonly write: boolean;
  /** Sets damaged lines aside wherever they are. */
  readonly repair?: boolean;
  readonly now?: () => Date;
}

/** A damaged stretch of the log, as it is told to a person. */
export interface Finding {
  readonly line: number;
  readonly bytes: number;
  readonly damage: string;
  /** The file that the bytes were copied to. Undefined where they stay where they are. */
  readonly savedTo?: string;
}

/** The notes in a log file. */
export class Store {
  /** What was wrong with the file when it was opened. */
  readonly findings: readonly Finding[];
  private events: readonly NoteEvent[];
  private readonly path: string;
  /** A new name each time: two machines that were copied from one another must not share one. */
  private readonly author = randomBytes(6).toString('hex');
  private readonly now: () => Date;
  private readonly obstacle: string | undefined;
  private readonly unlock: () => Promise<void>;

  private constructor(
    path: string,
    opened: { events: readonly NoteEvent[]; findings: readonly Finding[]; obstacle: string | undefined },
    now: () => Date,
    unlock: () => Promise<void>,
  ) {
    this.path = path;
    this.events = [...opened.events].sort(compareEvents);
    this.findings = opened.findings;
    this.obstacle = opened.obstacle;
    this.now = now;
    this.unlock = unlock;
  }

  /**
   * Opens a log, which need not exist yet.
   *
   * @throws LockedError where another process is writing
   */
  static async open(
    path: string,
    { write, repair = false, now = () => new Date() }: StoreOptions,
  ): Promise<Store> {
    await mkdir(dirname(path), { recursive: true });
    const unlock = write ? await takeLock(`${path}.lock`) : () => Promise.resolve();
    try {
      // A tidied log that was never renamed into place is worth nothing.
      if (write) await rm(nextFile(path), { force: true });
      const log = await readLog(path);
      const frames = [...decodeFrames(log)];
      const damaged = frames.filter((frame): frame is DamagedFrame => 'damage' in frame);
      const [first] = damaged;
      const events = frames.flatMap((frame) => ('event' in frame ? [frame.event] : []));
      // An append that was torn is always the last thing in a log. Damage in the middle has another cause.
      const isTorn =
        first !== undefined && !frames.some((frame) => 'event' in frame && frame.start > first.start);
      const isMended = first !== undefined && write && (isTorn || repair);
      const savedTo = isMended ? await setAside(path, log, damaged, now()) : undefined;
      if (isMended) await (isTorn ? cutOff(path, first.start) : rewrite(path, events));
      const findings = damaged.map((frame) => describe(frame, savedTo));
      const obstacle =
        first === undefined || isTorn || isMended
          ? undefined
          : `Line ${first.line} of the log is damaged. \`driftwood check --repair\` sets it aside.`;
      return new Store(path, { events, findings, obstacle }, now, unlock);
    } catch (error) {
      await unlock();
      throw error;
    }
  }

  /** The notes as they are now, oldest first. */
  notes(): readonly Note[] {
    return notesOf(this.events);
  }

  /**
   * Finds a note by its id, which may be shortened.
   *
   * @throws Error where no note or more than one begins with it
   */
  find(shortId: string): Note {
    const [note, another] = this.notes().filter(({ id }) => id.startsWith(shortId));
    if (note === undefined) throw new Error(`There is no note ${shortId}.`);
    if (another !== undefined) throw new Error(`${shortId} could be ${note.id} or ${another.id}.`);
    return note;
  }

  /** An id that no note has had: four digits at first, longer as they become scarce. */
  freshId(): string {
    const taken = new Set(this.events.map(({ id }) => id));
    for (let length = 2; ; length += 1) {
      for (let attempt = 0; attempt < 16; attempt += 1) {
        const id = randomBytes(length).toString('hex');
        if (!taken.has(id)) return id;
      }
    }
  }

  /**
   * Appends one change. It is on the disk when this returns.
   *
   * @throws DamagedLogError where the log is open for reading only
   */
  async append(change: Change): Promise<void> {
    const stamp = { at: this.now().toISOString(), clock: this.highestClock() + 1, author: this.author };
    await this.write([{ ...change, ...stamp }]);
  }

  /**
   * Takes over the events of another log that this one does not have.
   *
   * @returns how many there were
   * @throws DamagedLogError where the log is open for reading only
   */
  async merge(other: Store): Promise<number> {
    const news = unknownEvents(this.events, other.events);
    await this.write(news);
    return news.length;
  }

  /**
   * Rewrites the log without what no longer matters. The old file is replaced in one step: a crash leaves either.
   *
   * @returns how many events were left out
   * @throws DamagedLogError where the log is open for reading only
   */
  async tidy(): Promise<number> {
    this.assertWritable();
    const kept = withoutHistory(this.events, this.now());
    const dropped = this.events.length - kept.length;
    await rewrite(this.path, kept);
    this.events = kept;
    return dropped;
  }

  /** Gives the lock back. */
  async close(): Promise<void> {
    await this.unlock();
  }

  private highestClock(): number {
    return this.events.at(-1)?.clock ?? 0;
  }

  private async write(events: readonly NoteEvent[]): Promise<void> {
    this.assertWritable();
    if (events.length === 0) return;
    const file = await open(this.path, 'a');
    try {
      // One call, so that a crash tears at most the end of it.
      await file.appendFile(Buffer.concat(events.map(encodeFrame)));
      await file.sync();
    } finally {
      await file.close();
    }
    this.events = [...this.events, ...events].sort(compareEvents);
  }

  private assertWritable(): void {
    if (this.obstacle !== undefined) throw new DamagedLogError(this.obstacle);
  }
}

async function readLog(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
}

/** Copies damaged bytes into a file of their own, which is on the disk before the log is touched. */
async function setAside(
  path: string,
  log: Buffer,
  damaged: readonly DamagedFrame[],
  now: Date,
): Promise<string> {
  const copy = `${path}.torn-${now.toISOString().replaceAll(':', '')}`;
  const file = await open(copy, 'wx');
  try {
    await file.writeFile(Buffer.concat(damaged.map(({ start, end }) => log.subarray(start, end))));
    await file.sync();
  } finally {
    await file.close();
  }
  return copy;
}

async function cutOff(path: string, length: number): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.truncate(length);
    await file.sync();
  } finally {
    await file.close();
  }
}

function nextFile(path: string): string {
  return `${path}.next`;
}

async function rewrite(path: string, events: readonly NoteEvent[]): Promise<void> {
  const next = nextFile(path);
  const file = await open(next, 'w');
  try {
    await file.writeFile(Buffer.concat(events.map(encodeFrame)));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
}

/** The events that still matter, and always the newest one, which holds the clock. */
function withoutHistory(events: readonly NoteEvent[], now: Date): readonly NoteEvent[] {
  const last = new Map<string, NoteEvent>();
  const dropped = new Map<string, string>();
  for (const event of events) {
    last.set(`${event.id} ${event.type}`, event);
    if (event.type === 'dropped') dropped.set(event.id, event.at);
  }
  const graceEnds = new Date(now.getTime() - graceDays * 24 * 60 * 60 * 1000).toISOString();
  return events.filter((event, index) => {
    if (index === events.length - 1) return true;
    const droppedAt = dropped.get(event.id);
    if (droppedAt !== undefined && droppedAt < graceEnds) return false;
    return last.get(`${event.id} ${event.type}`) === event;
  });
}

function describe({ line, start, end, damage }: DamagedFrame, savedTo: string | undefined): Finding {
  return { line, bytes: end - start, damage, ...(savedTo === undefined ? {} : { savedTo }) };
}
