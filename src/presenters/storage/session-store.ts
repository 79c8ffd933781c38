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
import { titleOf } from '../../transcripts/typed-title.ts';
import { AcknowledgedBytes } from './acknowledged-bytes.ts';
import { KeptEvents } from './kept-events.ts';
import { type FilePorts, isUnchanged, ReadOnlySessionError, SessionFile } from './session-file.ts';

/** A session in the list of sessions. */
export interface SessionListing {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970 of the last change. */
  readonly changedAt: number;
}

/** A sub-agent's session. */
interface SubAgentListing {
  readonly id: string;
  /** The call that started it, as its row is called. */
  readonly callKey: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A session that was read. */
export interface OpenedSession {
  readonly contents: SessionContents;
  /** Refuses to be written if the session is only to be read. */
  readonly file: SessionFile;
  /** Reason that the session is read-only; absent if it can be carried on. */
  readonly readOnly?: 'newer-version';
}

/** Services that a store gets from its host. */
interface StorePorts extends Omit<FilePorts, 'nextPath'> {
  /** Name of the writer, as others see it. */
  readonly windowName: () => string;
}

/** Title of a session without messages. */
export const untitled = 'New chat';

const ending = '.jsonl';
/** Pattern of our ids; nothing else becomes part of a path. A sub-agent's begins with the session it is of. */
const idPattern = /^([0-9a-z-]{1,64})(?:\.([0-9a-z-]{1,64}))?$/;
const lineFeed = 0x0a;
/** Bytes of a line; what is longer is cut, and so no event. */
const longestLine = 1 << 28;
/** Events that are written together. */
const eventsAtOnce = 500;
/** Bytes of a file in which its header is looked for. */
const longestHeader = 1_024;

/**
 * Sessions in a folder, one file each; those of sub-agents, and the files they share, in a folder with the name of the
 * session they belong to. Files are only ever appended to, or deleted by the person.
 */
export class SessionStore {
  private readonly folder: string;
  private readonly ports: StorePorts;

  /** @param folder made when the first session is */
  constructor(folder: string, ports: Partial<StorePorts> = {}) {
    this.folder = folder;
    this.ports = { durability: () => 'turn', rewritten: () => {}, windowName: () => '', ...ports };
  }

  /**
   * Begins a session. Its file is made with the first thing that is written, so that unused ones leave no trace.
   *
   * @param parent of a sub-agent: the session that starts it, and the call in it
   */
  create(now: number, parent?: SessionHeader['parent']): { readonly id: string; readonly file: SessionFile } {
    const createdAt = new Date(now).toISOString();
    const name = `${createdAt.slice(0, 19).replace(/[:T]/g, '-')}-${randomHex()}`;
    const id = parent === undefined ? name : `${parent.sessionId}.${name}`;
    const header: SessionHeader = {
      type: 'session',
      version: sessionVersion,
      id,
      createdAt,
      ...(parent === undefined ? {} : { parent }),
    };
    return {
      id,
      file: new SessionFile(
        { path: this.pathOf(id), lock: this.lockOf(id) },
        this.portsOf(id),
        new KeptEvents(header),
      ),
    };
  }

  /**
   * Begins a session with what is known of it already. All of that is written, or nothing.
   *
   * @throws {CancelledError} if the signal was aborted
   * @throws what the file system throws, for example when the disk is full
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
   * Reads a session.
   *
   * @param lock held already if nothing else is to write from now on
   * @returns undefined if there is none
   * @throws what the file system throws, for example when it may not be read
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

  /** Newest first, without those of sub-agents. */
  async list(): Promise<readonly SessionListing[]> {
    const ids = await idsIn(this.folder);
    const listings = await Promise.all(ids.map((id) => this.listing(id)));
    return listings
      .filter((listing) => listing !== undefined)
      .toSorted((one, other) => other.changedAt - one.changedAt);
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

  /** The folder in which the sub-agents of one call share files. */
  sharedFolder(sessionId: string, callKey: string): string {
    return join(this.folder, sessionId, `shared-${callKey.replace(/[^0-9a-z]+/gi, '-')}`);
  }

  /**
   * Appends to a session that is not open.
   *
   * @throws {HeldElsewhereError} if it is
   * @throws {ReadOnlySessionError} if a newer version wrote it
   * @throws what the file system throws
   */
  async append(id: string, event: SessionEvent): Promise<void> {
    await this.holding(id, async (lock) => {
      const found = await this.open(id, lock);
      if (found === undefined) throw new SentenceError(hostSentences.say('noSuchChat'));
      await using file = found.file;
      await file.append(event);
    });
  }

  /**
   * Deletes a session, with its sub-agents.
   *
   * @throws {HeldElsewhereError} if it is open
   */
  async delete(id: string): Promise<void> {
    if (idPattern.test(id)) await this.holding(id, () => this.remove(id));
  }

  /** The right to write a session. It is its file's, which takes it and gives it back. */
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

  private async listing(id: string): Promise<SessionListing | undefined> {
    try {
      const [bytes, { mtimeMs }] = await Promise.all([readFile(this.pathOf(id)), stat(this.pathOf(id))]);
      return { id, title: (await titleIn(bytes)) ?? untitled, changedAt: mtimeMs };
    } catch {
      // Deleted meanwhile, or not readable: then it is not in the list.
      return undefined;
    }
  }

  private async subAgentListing(id: string): Promise<SubAgentListing | undefined> {
    const header = await readHeader(this.pathOf(id)).catch(() => undefined);
    return header?.parent === undefined
      ? undefined
      : { id, callKey: header.parent.callKey, createdAt: header.createdAt };
  }

  /** Path of the counts of a session, whether or not they exist. */
  countsPathOf(id: string): string {
    return this.pathOf(id).replace(/\.jsonl$/, '.counts');
  }

  /** Path of a session's file, whether or not it exists. */
  pathOf(id: string): string {
    const [parent = '', name] = id.split('.');
    return name === undefined ? join(this.folder, parent + ending) : join(this.folder, parent, name + ending);
  }
}

/** Loads the code that reads sessions with the first of them. */
const sessionFormat = () => import('../../transcripts/session/session-format.ts');

function randomHex(): string {
  return randomBytes(4).toString('hex');
}

/**
 * A whole file, with what the file system says of it unless it changed meanwhile.
 *
 * @returns undefined if there is no such file
 * @throws any other error of the file system, and an error with a sentence for what is no file
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

/** The lines of a file, which together may be longer than a string can be. */
export function* linesOfBytes(bytes: Buffer): Iterable<string> {
  for (let start = 0; start < bytes.length;) {
    const next = bytes.indexOf(lineFeed, start);
    const end = next < 0 ? bytes.length : next;
    yield bytes.toString('utf8', start, Math.min(end, start + longestLine));
    start = end + 1;
  }
}

/** Names of session files without their ending. */
async function idsIn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))
    .filter((id) => idPattern.test(id) && !id.includes('.'));
}

/** The first event of a session file; the rest of it, which may be large, is not read. */
async function readHeader(path: string): Promise<SessionHeader | undefined> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(longestHeader), 0, longestHeader, 0);
  const { readSession } = await sessionFormat();
  return readSession(buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? '').header;
}

const titleStart = '{"type":"title"';
/** Bytes of a file without a title in which the first thing that was said is looked for. */
const longestBeginning = 1 << 18;

/** Title of a session in a list: its newest title that can be read, else the first thing that was said in it. */
async function titleIn(bytes: Buffer): Promise<string | undefined> {
  return newestTitle(bytes) ?? (await firstWords(bytes));
}

/** Found without parsing all of the file. */
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
  const { readSession } = await import('../../transcripts/session/session-format.ts');
  const { entries } = readSession(bytes.toString('utf8', 0, longestBeginning));
  for (const entry of entries) {
    if (entry.type === 'message' && isTyped(entry.message)) return titleOf(ownWords(entry.message));
  }
  return undefined;
}
