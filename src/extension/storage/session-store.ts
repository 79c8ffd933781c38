import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomBytes } from 'node:crypto';
import { throwIfCancelled } from '../../compaction/cancellation.ts';
import type { SessionEvent } from '../../transcripts/session-event.ts';
import { readSession, type SessionContents } from '../../transcripts/session-format.ts';
import { SessionFile } from './session-file.ts';

/** A session in the list of sessions. */
export interface SessionListing {
  readonly id: string;
  readonly title: string;
  /** Milliseconds since 1970 of the last change. */
  readonly changedAt: number;
}

const ending = '.jsonl';
/** What ids of ours look like; nothing else becomes part of a path. */
const idPattern = /^[0-9a-z-]{1,64}$/;

/** Sessions in a folder, one file each. Files are only ever appended to, or deleted by the person. */
export class SessionStore {
  private readonly folder: string;

  /** @param folder made when the first session is */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** Begins a session. Its file is made with the first thing that is written, so that unused ones leave no trace. */
  create(now: number): { readonly id: string; readonly file: SessionFile } {
    const createdAt = new Date(now).toISOString();
    const id = `${createdAt.slice(0, 19).replace(/[:T]/g, '-')}-${randomBytes(4).toString('hex')}`;
    return { id, file: new SessionFile(this.pathOf(id), { type: 'session', version: 1, id, createdAt }) };
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

  /** Newest first. */
  async list(): Promise<readonly SessionListing[]> {
    const names = await readdir(this.folder).catch(() => []);
    const ids = names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length));
    const listings = await Promise.all(ids.filter((id) => idPattern.test(id)).map((id) => this.listing(id)));
    return listings
      .filter((listing) => listing !== undefined)
      .toSorted((one, other) => other.changedAt - one.changedAt);
  }

  async append(id: string, event: SessionEvent): Promise<void> {
    const file = new SessionFile(this.pathOf(id));
    try {
      await file.append(event);
    } finally {
      await file.close();
    }
  }

  async delete(id: string): Promise<void> {
    if (idPattern.test(id)) await rm(this.pathOf(id), { force: true });
  }

  private async listing(id: string): Promise<SessionListing | undefined> {
    try {
      const [bytes, { mtimeMs }] = await Promise.all([readFile(this.pathOf(id)), stat(this.pathOf(id))]);
      return { id, title: lastTitle(bytes) ?? 'New chat', changedAt: mtimeMs };
    } catch {
      // Deleted meanwhile, or not readable: then it is not in the list.
      return undefined;
    }
  }

  private pathOf(id: string): string {
    return join(this.folder, id + ending);
  }
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
