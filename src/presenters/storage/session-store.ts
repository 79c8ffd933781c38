import { hostSentences } from '../../language/english/host-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { randomBytes } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeSlices } from '../../agent/node-slices.ts';
import { SessionLock } from '../../agent/locks/session-lock.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { isTyped } from '../../compaction/messages/message.ts';
import { ownWords } from '../../compaction/messages/typed-parts.ts';
import { unknownTime } from '../../transcripts/reading/transcript-format.ts';
import {
  type SessionEvent,
  type SessionHeader,
  sessionVersion,
} from '../../transcripts/session/session-event.ts';
import type { SessionContents } from '../../transcripts/session/session-format.ts';
import { titleOf } from '../../transcripts/reading/typed-title.ts';
import { AcknowledgedBytes } from './acknowledged-bytes.ts';
import { KeptEvents } from './kept-events.ts';
import { type FilePorts, isUnchanged, ReadOnlySessionError, SessionFile } from './session-file.ts';

export interface SessionListing {
  readonly id: string;
  readonly title: string;
  /** Time of the last change in milliseconds since 1970. */
  readonly changedAt: number;
}

/** A listed session, valid while the time and the size of its file stay the same. */
interface ReadListing {
  readonly listing: SessionListing;
  readonly size: number;
}

interface SubAgentListing {
  readonly id: string;
  /** Key of the call that started the sub-agent. It is also the id of the call's row. */
  readonly callKey: string;
  /** Start time in ISO 8601. */
  readonly createdAt: string;
}

/** A session that has been read. */
export interface OpenedSession {
  readonly contents: SessionContents;
  /** File of the session. It refuses writes if the session is read-only. */
  readonly file: SessionFile;
  /** Reason why the session is read-only; absent if it can be continued. */
  readonly readOnly?: 'newer-version';
}

/** Services that the host provides to a store. */
interface StorePorts extends Omit<FilePorts, 'nextPath'> {
  /** Returns the name of the window, as other windows show it. */
  readonly windowName: () => string;
}

/** Title of a session without messages. */
export const untitled = 'New chat';

const ending = '.jsonl';
/** Pattern of our ids, the only text that becomes part of a path. A sub-agent's id begins with its session's id. */
const idPattern = /^([0-9a-z-]{1,64})(?:\.([0-9a-z-]{1,64}))?$/;
const lineFeed = 0x0a;
/** Maximum bytes of a line. A longer line is cut off and is therefore no event. */
const longestLine = 1 << 28;
const eventsAtOnce = 500;
/** Bytes of a file that are searched for its header. */
const longestHeader = 1_024;

/**
 * The sessions in a folder, one file each. Files only grow, and are deleted when the user deletes a session. A folder
 * with the name of a session has the session's sub-agents.
 */
export class SessionStore {
  private readonly folder: string;
  private readonly ports: StorePorts;
  /** The sessions as they were listed last, by id. */
  private listings: ReadonlyMap<string, ReadListing> = new Map();

  /** @param folder folder for the sessions; created with the first session */
  constructor(folder: string, ports: Partial<StorePorts> = {}) {
    this.folder = folder;
    this.ports = { durability: () => 'turn', rewritten: () => {}, windowName: () => '', ...ports };
  }

  /**
   * Begins a session. Its first write creates the file.
   *
   * @param parent the session and the call that start a sub-agent; only for sub-agents
   */
  create(now: number, parent?: SessionHeader['parent']): { readonly id: string; readonly file: SessionFile } {
    const createdAt = new Date(now).toISOString();
    const name = `${createdAt.slice(0, 19).replace(/[:T]/g, '-')}-${randomHex()}`;
    const id = parent === undefined ? name : `${parent.sessionId}.${name}`;
    const header = {
      type: 'session',
      version: sessionVersion,
      id,
      createdAt,
      ...(parent && { parent }),
    } as const;
    const place = { path: this.pathOf(id), lock: this.lockOf(id) };
    return { id, file: new SessionFile(place, this.portsOf(id), new KeptEvents(header)) };
  }

  /**
   * Begins a session with existing events. Writes either all of them or none.
   *
   * @throws {CancelledError} if the signal was aborted
   * @throws errors of the file system
   */
  async write(
    now: number,
    events: readonly SessionEvent[],
    signal: AbortSignal,
  ): Promise<{ readonly id: string; readonly file: SessionFile }> {
    const created = this.create(now);
    try {
      for (let start = 0; start < events.length; start += eventsAtOnce) {
        throwIfCancelled(signal);
        await created.file.append(...events.slice(start, start + eventsAtOnce));
      }
      throwIfCancelled(signal);
      return created;
    } catch (error) {
      await created.file.close();
      await this.remove(created.id);
      throw error;
    }
  }

  /**
   * Reads a session; undefined if it does not exist.
   *
   * @param lock if held, no other writer can append
   * @throws errors of the file system
   */
  async open(id: string, lock = this.lockOf(id)): Promise<OpenedSession | undefined> {
    if (!idPattern.test(id)) return undefined;
    const path = this.pathOf(id);
    const read = await fileAt(path);
    if (read === undefined) return undefined;
    const { bytes, seen } = read;
    const { readSessionInSlices } = await sessionFormat();
    const contents = await readSessionInSlices(linesOfBytes(bytes), nodeSlices());
    const header = { type: 'session', version: sessionVersion, id, createdAt: unknownTime } as const;
    const kept = KeptEvents.of(contents, header);
    const acknowledged = await AcknowledgedBytes.of(bytes);
    const file = new SessionFile({ path, lock }, this.portsOf(id), kept, { bytes: acknowledged, seen });
    if (!contents.isNewer) return { contents, file };
    return { contents, file: file.forbid(new ReadOnlySessionError()), readOnly: 'newer-version' };
  }

  /** Lists sessions, newest first, without sub-agents. Reads only the files that have changed since the last list. */
  async list(): Promise<readonly SessionListing[]> {
    const ids = await idsIn(this.folder);
    const read = await Promise.all(ids.map((id) => this.listing(id)));
    const found = read.filter((one) => one !== undefined);
    this.listings = new Map(found.map((one) => [one.listing.id, one]));
    return found.map(({ listing }) => listing).toSorted((one, other) => other.changedAt - one.changedAt);
  }

  /** The sub-agents that a session has started, oldest first. */
  async subAgentsOf(sessionId: string): Promise<readonly SubAgentListing[]> {
    if (!idPattern.test(sessionId)) return [];
    const names = await idsIn(join(this.folder, sessionId));
    const listings = await Promise.all(names.map((name) => this.subAgentListing(`${sessionId}.${name}`)));
    return listings
      .filter((listing) => listing !== undefined)
      .toSorted((one, other) => (`${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1));
  }

  /** The folder that the sub-agents of one call share for their files. */
  sharedFolder(sessionId: string, callKey: string): string {
    return join(this.folder, sessionId, `shared-${callKey.replace(/[^0-9a-z]+/gi, '-')}`);
  }

  /**
   * Appends to a session that is not open.
   *
   * @throws {HeldElsewhereError} if the session is open
   * @throws {ReadOnlySessionError} if a newer version wrote the session
   * @throws errors of the file system
   */
  async append(id: string, event: SessionEvent): Promise<void> {
    await this.holding(id, async (lock) => {
      const found = await this.open(id, lock);
      if (found === undefined) throw new SentenceError(hostSentences.say('noSuchChat'));
      await using file = found.file;
      await file.append(event);
    });
  }

  /** Deletes a session and its sub-agents. @throws {HeldElsewhereError} if the session is open */
  async delete(id: string): Promise<void> {
    if (idPattern.test(id)) await this.holding(id, () => this.remove(id));
  }

  /** The lock for writing a session. The session's file acquires and releases it. */
  lockOf(id: string): SessionLock {
    return new SessionLock(this.pathOf(id), this.ports.windowName());
  }

  private async holding(id: string, work: (lock: SessionLock) => Promise<void>): Promise<void> {
    const lock = this.lockOf(id);
    await lock.hold();
    try {
      await work(lock);
    } finally {
      await lock.release();
    }
  }

  private async remove(id: string): Promise<void> {
    await rm(this.pathOf(id), { recursive: true, force: true });
    await rm(this.countsPathOf(id), { recursive: true, force: true });
    await rm(join(this.folder, id), { recursive: true, force: true });
  }

  private portsOf(id: string): FilePorts {
    const nextPath = () => this.pathOf(id.replace(/(?:-[0-9a-f]{8})?$/, `-${randomHex()}`));
    return { ...this.ports, nextPath };
  }

  private async listing(id: string): Promise<ReadListing | undefined> {
    try {
      const { mtimeMs: changedAt, size } = await stat(this.pathOf(id));
      const known = this.listings.get(id);
      if (known?.listing.changedAt === changedAt && known.size === size) return known;
      const bytes = await readFile(this.pathOf(id));
      const title = newestTitle(bytes) ?? (await firstWords(bytes)) ?? untitled;
      return { listing: { id, title, changedAt }, size };
    } catch {
      // The session was deleted in the meantime or is unreadable, so it is not listed.
      return undefined;
    }
  }

  private async subAgentListing(id: string): Promise<SubAgentListing | undefined> {
    const header = await readHeader(this.pathOf(id)).catch(() => undefined);
    return header?.parent && { id, callKey: header.parent.callKey, createdAt: header.createdAt };
  }

  /** Path of the file with a session's counts, even if it does not exist. */
  countsPathOf(id: string): string {
    return this.pathOf(id).replace(/\.jsonl$/, '.counts');
  }

  /** Path of a session's file, even if it does not exist. */
  pathOf(id: string): string {
    const [parent = '', name] = id.split('.');
    return name === undefined ? join(this.folder, parent + ending) : join(this.folder, parent, name + ending);
  }
}

/** Loads the code that reads sessions on first use. */
const sessionFormat = () => import('../../transcripts/session/session-format.ts');

function randomHex(): string {
  return randomBytes(4).toString('hex');
}

/**
 * Reads a whole file; undefined if it does not exist. `seen` is its state, unless it changed during the reading.
 *
 * @throws {SentenceError} if it is not a regular file
 * @throws any other error of the file system
 */
export async function fileAt(
  path: string,
): Promise<{ readonly bytes: Buffer; readonly seen: BigIntStats | undefined } | undefined> {
  try {
    await using file = await open(path);
    const before = await file.stat({ bigint: true });
    if (!before.isFile()) throw new SentenceError(hostSentences.say('notAFile'));
    const bytes = await file.readFile();
    const after = await file.stat({ bigint: true });
    return { bytes, seen: isUnchanged(before, after) ? after : undefined };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Yields the lines of a file. The whole file may be longer than the longest possible string. */
export function* linesOfBytes(bytes: Buffer): Iterable<string> {
  for (let start = 0; start < bytes.length;) {
    const next = bytes.indexOf(lineFeed, start);
    const end = next < 0 ? bytes.length : next;
    yield bytes.toString('utf8', start, Math.min(end, start + longestLine));
    start = end + 1;
  }
}

async function idsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((id) => idPattern.test(id) && !id.includes('.'));
}

/** Reads the first event of a session's file, but not the rest, which may be large. */
async function readHeader(path: string): Promise<SessionHeader | undefined> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(longestHeader), 0, longestHeader, 0);
  const { readSession } = await sessionFormat();
  return readSession(buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? '').header;
}

const titleStart = '{"type":"title"';
/** Number of bytes that are searched for the first message, if the file has no title. */
const longestBeginning = 1 << 18;

/** Finds the newest title without parsing the whole file. */
function newestTitle(bytes: Buffer): string | undefined {
  for (let start = bytes.lastIndexOf(titleStart); start >= 0;) {
    if (start === 0 || bytes[start - 1] === lineFeed) {
      const end = bytes.indexOf(lineFeed, start);
      const title = titleOfLine(bytes.toString('utf8', start, end < 0 ? bytes.length : end));
      if (title !== undefined) return title;
    }
    if (start === 0) return undefined;
    start = bytes.lastIndexOf(titleStart, start - 1);
  }
  return undefined;
}

function titleOfLine(line: string): string | undefined {
  try {
    const { title } = JSON.parse(line) as { readonly title?: unknown };
    return typeof title === 'string' ? title : undefined;
  } catch {
    return undefined;
  }
}

async function firstWords(bytes: Buffer): Promise<string | undefined> {
  const { readSession } = await sessionFormat();
  const { entries } = readSession(bytes.toString('utf8', 0, longestBeginning));
  for (const entry of entries) {
    if (entry.type === 'message' && isTyped(entry.message)) return titleOf(ownWords(entry.message));
  }
  return undefined;
}
