import { stat } from 'node:fs/promises';
import { parse } from 'node:path';
import { type FoundSession, findSessions } from '../../presenters/import/found-sessions.ts';
import {
  type ReadOnlyPorts,
  type ReadOnlySession,
  readOnlySession,
} from '../../presenters/import/read-only-session.ts';
import { readTranscriptFile } from '../../presenters/import/transcript-file.ts';
import type { FoundAgent, SessionPlace } from '../../transcripts/session-places.ts';

/** A session of an agent in a folder, as it is now. */
export interface FolderSession extends Pick<FoundSession, 'agent' | 'path' | 'title' | 'changedAt'> {
  /** Name of its file without the extension: what a model calls it by. */
  readonly id: string;
}

/** A session could not be had, with the reason for a model. */
export class NoSessionError extends Error {
  override readonly name = 'NoSessionError';
}

interface Read {
  readonly path: string;
  readonly changedAt: number;
  readonly size: number;
  readonly session: Promise<ReadOnlySession>;
}

/** Sessions listed at most. */
const mostListed = 50;

/** The sessions that agents held in one folder. Files are read when they are asked for, and again once they change. */
export class FolderSessions {
  private readonly places: readonly SessionPlace[];
  private readonly ports: ReadOnlyPorts;
  private readonly folders: () => Promise<readonly string[]>;
  private read: Read | undefined;

  /** @param folders that a session must be about */
  constructor(
    places: readonly SessionPlace[],
    ports: ReadOnlyPorts,
    folders: () => Promise<readonly string[]>,
  ) {
    this.places = places;
    this.ports = ports;
    this.folders = folders;
  }

  /** @param agent lists only its sessions, if there are any. Newest first */
  async list(agent: FoundAgent | undefined, signal: AbortSignal): Promise<readonly FolderSession[]> {
    const found = await findSessions(this.places, await this.folders(), signal);
    const here = found
      .filter(({ isOfWorkspace, parent }) => isOfWorkspace && parent === undefined)
      .toSorted((one, other) => other.changedAt - one.changedAt);
    const own = here.filter((session) => session.agent === agent);
    return (own.length > 0 ? own : here)
      .slice(0, mostListed)
      .map(({ agent, path, title, changedAt }) => ({ agent, path, title, changedAt, id: idOf(path) }));
  }

  /**
   * Reads a session.
   *
   * @param id of a session that `list` has; the newest if not given
   * @throws {NoSessionError} if there is none
   * @throws {SentenceError} if its file cannot be read
   */
  async open(
    id: string | undefined,
    agent: FoundAgent | undefined,
    signal: AbortSignal,
  ): Promise<FolderSession & { readonly session: ReadOnlySession }> {
    const all = await this.list(id === undefined ? agent : undefined, signal);
    const found = id === undefined ? all[0] : all.find((session) => session.id === id);
    if (found === undefined) {
      const ids = all.map((session) => session.id).join(', ');
      throw new NoSessionError(
        all.length === 0
          ? 'No session of an agent was found for this folder.'
          : `There is no session "${id}" for this folder. There are: ${ids}.`,
      );
    }
    return { ...found, session: await this.contentOf(found.path, signal) };
  }

  private async contentOf(path: string, signal: AbortSignal): Promise<ReadOnlySession> {
    const { mtimeMs: changedAt, size } = await stat(path);
    const known = this.read;
    if (known?.path === path && known.changedAt === changedAt && known.size === size) return known.session;
    const session = readTranscriptFile(path, signal).then((text) =>
      readOnlySession(text, idOf(path), this.ports, signal),
    );
    this.read = { path, changedAt, size, session };
    // What failed is tried again.
    session.catch(() => {
      if (this.read?.session === session) this.read = undefined;
    });
    return session;
  }
}

function idOf(path: string): string {
  return parse(path).name;
}
