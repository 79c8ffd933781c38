import { open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { throwIfCancelled } from '../../compaction/cancellation.ts';
import type { SessionEvent, SessionHeader } from '../../transcripts/session-event.ts';
import { readSession, type SessionContents } from '../../transcripts/session-format.ts';
import { SessionFile } from './session-file.ts';

/** A session in the list of sessions. */
export interface SessionListing {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970 of the last change. */
  readonly changedAt: number;
}

/** A sub-agent's session. */
export interface ShardListing {
  readonly id: string;
  /** The call that started it, as its row is called. */
  readonly callKey: string;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** What a session is called in which nobody has said anything yet. */
export const untitled = 'New chat';

const ending = '.jsonl';
/** What ids of ours look like; nothing else becomes part of a path. A sub-agent's begins with the session it is of. */
const idPattern = /^([0-9a-z-]{1,64})(?:\.([0-9a-z-]{1,64}))?$/;
/** Bytes of a file in which its header is looked for. */
const longestHeader = 1_024;

/**
 * Sessions in a folder, one file each; those of sub-agents, and the files they share, in a folder with the name of the
 * session they belong to. Files are only ever appended to, or deleted by the person.
 */
export class SessionStore {
  private readonly folder: string;

  /** @param folder made when the first session is */
  constructor(folder: string) {
    this.folder = folder;
  }

  /**
   * Begins a session. Its file is made with the first thing that is written, so that unused ones leave no trace.
   *
   * @param parent of a sub-agent: the session that starts it, and the call in it
   */
  create(now: number, parent?: SessionHeader['parent']): { readonly id: string; readonly file: SessionFile } {
    const createdAt = new Date(now).toISOString();
    const name = `${createdAt.slice(0, 19).replace(/[:T]/g, '-')}-${randomBytes(4).toString('hex')}`;
    const id = parent === undefined ? name : `${parent.sessionId}.${name}`;
    const header: SessionHeader = {
      type: 'session',
      version: 1,
      id,
      createdAt,
      ...(parent === undefined ? {} : { parent }),
    };
    return { id, file: new SessionFile(this.pathOf(id), header) };
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
      for (const event of events) {
        throwIfCancelled(signal);
        await created.file.append(event);
      }
      return created;
    } catch (error) {
      await created.file.close();
      await this.delete(created.id);
      throw error;
    }
  }

  /**
   * Reads a session.
   *
   * @returns undefined where there is none
   */
  async open(
    id: string,
  ): Promise<{ readonly contents: SessionContents; readonly file: SessionFile } | undefined> {
    if (!idPattern.test(id)) return undefined;
    let text: string;
    try {
      text = await readFile(this.pathOf(id), 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    return { contents: readSession(text), file: new SessionFile(this.pathOf(id)) };
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
  async shardsOf(sessionId: string): Promise<readonly ShardListing[]> {
    if (!idPattern.test(sessionId)) return [];
    const names = await idsIn(join(this.folder, sessionId));
    const listings = await Promise.all(names.map((name) => this.shardListing(`${sessionId}.${name}`)));
    return listings
      .filter((listing) => listing !== undefined)
      .toSorted((one, other) => (`${one.createdAt} ${one.id}` < `${other.createdAt} ${other.id}` ? -1 : 1));
  }

  /** The folder in which the sub-agents of one call share files. */
  sharedFolder(sessionId: string, callKey: string): string {
    return join(this.folder, sessionId, `shared-${callKey.replace(/[^0-9a-z]+/gi, '-')}`);
  }

  async append(id: string, event: SessionEvent): Promise<void> {
    const file = new SessionFile(this.pathOf(id));
    try {
      await file.append(event);
    } finally {
      await file.close();
    }
  }

  /** Deletes a session, with its sub-agents. */
  async delete(id: string): Promise<void> {
    if (!idPattern.test(id)) return;
    await rm(this.pathOf(id), { force: true });
    await rm(join(this.folder, id), { recursive: true, force: true });
  }

  private async listing(id: string): Promise<SessionListing | undefined> {
    try {
      const [bytes, { mtimeMs }] = await Promise.all([readFile(this.pathOf(id)), stat(this.pathOf(id))]);
      return { id, title: lastTitle(bytes) ?? untitled, changedAt: mtimeMs };
    } catch {
      // Deleted meanwhile, or not readable: then it is not in the list.
      return undefined;
    }
  }

  private async shardListing(id: string): Promise<ShardListing | undefined> {
    const header = await readHeader(this.pathOf(id)).catch(() => undefined);
    return header?.parent === undefined
      ? undefined
      : { id, callKey: header.parent.callKey, createdAt: header.createdAt };
  }

  private pathOf(id: string): string {
    const [parent = '', name] = id.split('.');
    return name === undefined ? join(this.folder, parent + ending) : join(this.folder, parent, name + ending);
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
  return readSession(buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0] ?? '').header;
}

/** The newest title in a session file, found without parsing all of it. */
function lastTitle(bytes: Buffer): string | undefined {
  const start = bytes.lastIndexOf('\n{"type":"title"');
  if (start < 0) return undefined;
  const end = bytes.indexOf('\n', start + 1);
  try {
    const event = JSON.parse(bytes.toString('utf8', start + 1, end < 0 ? bytes.length : end)) as {
      readonly title?: unknown;
    };
    return typeof event.title === 'string' ? event.title : undefined;
  } catch {
    return undefined;
  }
}
