import { opencodeUsage } from '../../transcripts/document-usage.ts';
import type { LastUsage } from '../../transcripts/head-fields.ts';
import { lastUsage } from '../../transcripts/last-usage.ts';
import { tellingPartOf } from '../import/companion-files.ts';
import type { FoundFile } from '../import/found-files.ts';
import { databaseVersion, inDatabase, lastMessages } from '../import/opencode-database.ts';
import { isSessionInFolder, lastFolderMessages } from '../import/opencode-folder.ts';
import { type ReadSession, readSession } from '../import/found-sessions.ts';
import type { SessionWorkspaces } from '../import/session-workspace.ts';
import { beginningOf, endOf, headSize } from '../import/transcript-file.ts';

/** A session, with what the end of its file says. */
export type ListedFile = ReadSession & {
  /** Undefined if the end of the file reports none. */
  readonly usage: LastUsage | undefined;
};

/** Reads an end of a file, at most so many bytes. */
export type ReadEnd = (path: string, size: number) => Promise<string>;

/** Bytes at the beginning that tell of most sessions what they are. */
export const shortHeadSize = 8_192;
/** Bytes at the end of a file that are searched for the last reported usage. */
export const tailSize = 65_536;
/** Messages at the end of a session that are searched for it where they are apart. */
const messagesSearched = 20;

/** A value that was read of a file, as long as the file is what it was. */
interface Known<Value> {
  readonly changedAt: number;
  readonly size: number;
  readonly value: Value;
}

/** Reads the ends of sessions' files, each again only once its file has changed. */
export class SessionEnds {
  private readonly workspaces: SessionWorkspaces;
  readonly beginningOf: ReadEnd;
  readonly endOf: ReadEnd;
  private readonly heads = new Map<string, Known<ReadSession>>();
  private readonly usages = new Map<string, Known<LastUsage | undefined>>();
  /** By the paths of databases: their state, and what was read of it by the ids of sessions. */
  private readonly inDatabases = new Map<string, KnownUsages>();

  constructor(workspaces: SessionWorkspaces, read: { beginningOf?: ReadEnd; endOf?: ReadEnd } = {}) {
    this.workspaces = workspaces;
    this.beginningOf = read.beginningOf ?? beginningOf;
    this.endOf = read.endOf ?? endOf;
  }

  /** A file's session as its beginning told it when it was read last; undefined if it was not read. */
  known(file: FoundFile): ReadSession | undefined {
    return this.heads.get(file.path)?.value;
  }

  /** A file's session as its beginning tells it. */
  async head(file: FoundFile): Promise<ReadSession> {
    const known = this.heads.get(file.path);
    if (isCurrent(known, file)) return known.value;
    let value = await readSession(file, this.workspaces, () => this.beginningOf(file.path, shortHeadSize));
    if (file.size > shortHeadSize && (value.title === undefined || value.workspace === undefined)) {
      value = await readSession(file, this.workspaces, () => this.beginningOf(file.path, headSize));
    }
    this.heads.set(file.path, { changedAt: file.changedAt, size: file.size, value });
    return value;
  }

  /** A file's session as both its ends tell it. */
  async listed(file: FoundFile): Promise<ListedFile> {
    const head = { ...(await this.head(file)), idle: file.idle };
    const known = this.usages.get(file.path);
    if (isCurrent(known, file)) return { ...head, usage: known.value };
    const usage = await this.usageOf(file, head);
    this.usages.set(file.path, { changedAt: file.changedAt, size: file.size, value: usage });
    return { ...head, usage };
  }

  /** Sessions of databases, as their last messages tell them. */
  async listedRows(rows: readonly ReadSession[]): Promise<readonly ListedFile[]> {
    const places = rows.map(({ path }) => inDatabase(path));
    for (const database of new Set(places.flatMap((place) => place?.database ?? []))) {
      const ids = places.flatMap((place) => (place?.database === database ? [place.sessionId] : []));
      await this.readUsages(database, ids).catch(() => {});
    }
    return rows.map((row, index) => {
      const { database = '', sessionId = '' } = places[index] ?? {};
      return { ...row, usage: this.inDatabases.get(database)?.usages.get(sessionId) };
    });
  }

  private async usageOf({ path, place }: FoundFile, { window }: ReadSession): Promise<LastUsage | undefined> {
    if (isSessionInFolder(path)) return opencodeUsage(await lastFolderMessages(path, messagesSearched));
    const beside = await tellingPartOf(path, tailSize, this);
    const usage = lastUsage(place.agent, await this.endOf(path, tailSize), beside);
    return usage !== undefined && window !== undefined ? { window, ...usage } : usage;
  }

  private async readUsages(database: string, ids: readonly string[]): Promise<void> {
    const version = await databaseVersion(database);
    const known = this.inDatabases.get(database);
    const usages = known?.version === version ? known.usages : new Map<string, LastUsage | undefined>();
    const unread = ids.filter((id) => !usages.has(id));
    if (unread.length > 0) {
      for (const [id, messages] of await lastMessages(database, unread, messagesSearched)) {
        usages.set(id, opencodeUsage(messages));
      }
    }
    this.inDatabases.set(database, { version, usages });
  }
}

interface KnownUsages {
  readonly version: string;
  readonly usages: Map<string, LastUsage | undefined>;
}

function isCurrent<Value>(
  known: Known<Value> | undefined,
  { changedAt, size }: FoundFile,
): known is Known<Value> {
  return known?.changedAt === changedAt && known.size === size;
}
