import { type FoundAgent, lastUsage } from '../../transcripts/found-agents.ts';
import { opencodeUsage } from '../../transcripts/formats/opencode/opencode-files.ts';
import type { Fullness } from '../../insights/context-fullness.ts';
import { recordingUsage } from '../../transcripts/session/recordings.ts';
import type { LastUsage } from '../../transcripts/reading/agent-files.ts';
import { tellingPartOf } from '../import/companion-files.ts';
import { type FoundFile, inGroups } from '../import/found-files.ts';
import { databaseVersion, inDatabase, lastMessages } from '../import/opencode-database.ts';
import { isSessionInFolder, lastFolderMessages } from '../import/opencode-folder.ts';
import { type ListedSession, readFoundSession } from '../import/found-sessions.ts';
import type { ReadOnlyPorts } from '../import/read-only-session.ts';
import type { SessionWorkspaces } from '../import/session-workspace.ts';
import { beginningOfText, endOf, headSize } from '../import/transcript-file.ts';

/** Facts that show how full a session is. */
type Fill = Pick<ListedSession, 'usage' | 'fullness' | 'limits'>;

/** Determines the fill of a session if the end of its file does not show it. */
export interface FillPorts extends Pick<ReadOnlyPorts, 'factsOf' | 'limitsOf'> {
  /** Computes the fill from the whole session. @returns undefined if the session cannot be read */
  readonly fullnessOf: (path: string) => Promise<Fullness | undefined>;
}

/** Reads the beginning or end of a file, up to a number of bytes. */
export type ReadEnd = (path: string, size: number) => Promise<string>;

/** Number of bytes read first at the beginning; enough to identify most sessions. */
const shortHeadSize = 8_192;
/** Number of bytes at the end of a file that are searched for the last reported usage. */
const tailSize = 65_536;
/** Agents that store a session as one document. Its end does not show whether messages follow the last report. */
const inDocuments: ReadonlySet<FoundAgent> = new Set(['cline', 'roo-code', 'kilo-code', 'copilot-chat']);
/** Maximum bytes of a file that is read as a whole if its end does not show the fill. */
const largestWhole = 8_000_000;
/** Maximum bytes of a document that is read whole although its end has a report, because few messages follow it. */
const largestDocument = 1_000_000;
/** Number of last messages that are searched in a session whose messages are stored separately. */
const messagesSearched = 20;

/** A value read from a file, valid as long as the file is unchanged. */
interface Known<Value> {
  readonly changedAt: number;
  readonly size: number;
  readonly value: Value;
}

/** Reads the beginnings and ends of session files, and reads them again only after the file has changed. */
export class HeadAndTail {
  private readonly workspaces: SessionWorkspaces;
  private readonly fill: FillPorts | undefined;
  readonly beginningOf: ReadEnd;
  readonly endOf: ReadEnd;
  private readonly heads = new Map<string, Known<ListedSession>>();
  private readonly fills = new Map<string, Known<Fill>>();
  /** Database path → state of the database and the usages of its sessions by id. */
  private readonly inDatabases = new Map<string, KnownUsages>();

  /** @param fill absent if the fill of sessions is not needed */
  constructor(
    workspaces: SessionWorkspaces,
    read: { beginningOf?: ReadEnd; endOf?: ReadEnd } = {},
    fill?: FillPorts,
  ) {
    this.workspaces = workspaces;
    this.fill = fill;
    this.beginningOf = read.beginningOf ?? beginningOfText;
    this.endOf = read.endOf ?? endOf;
  }

  /** The beginning of a file as last read; undefined if it was never read. */
  known(file: FoundFile): ListedSession | undefined {
    return this.heads.get(file.path)?.value;
  }

  /** Reads the beginnings of new and changed files, which are then known. A file that cannot be read is not known. */
  async readHeads(files: readonly FoundFile[], signal: AbortSignal): Promise<void> {
    const unread = files.filter((file) => !isCurrent(this.heads.get(file.path), file));
    await inGroups(unread, signal, async (file) => {
      this.heads.delete(file.path);
      await this.head(file);
    });
  }

  /** Reads the metadata of a session from the beginning of its file. */
  async head(file: FoundFile): Promise<ListedSession> {
    const known = this.heads.get(file.path);
    if (isCurrent(known, file)) return known.value;
    let value = await readFoundSession(file, this.workspaces, () =>
      this.beginningOf(file.path, shortHeadSize),
    );
    if (file.size > shortHeadSize && (value.title === undefined || value.workspace === undefined)) {
      value = await readFoundSession(file, this.workspaces, () => this.beginningOf(file.path, headSize));
    }
    this.heads.set(file.path, { changedAt: file.changedAt, size: file.size, value });
    return value;
  }

  /** Reads metadata from both ends of a file. A watched file is read whole, which shows when the agent compacts. */
  async listed(file: FoundFile, isWatched = false): Promise<ListedSession> {
    const head = { ...(await this.head(file)), idle: file.idle, recording: file.recording?.path };
    const known = this.fills.get(file.path);
    const isEnough = !isWatched || known?.value.fullness !== undefined;
    if (isCurrent(known, file) && isEnough) return { ...head, ...known.value };
    const value = await this.fillOf(head, await this.usageOf(file, head), file.size, isWatched);
    this.fills.set(file.path, { changedAt: file.changedAt, size: file.size, value });
    return { ...head, ...value };
  }

  /** Sessions in databases, with metadata from their last messages. */
  async listedRows(rows: readonly ListedSession[]): Promise<readonly ListedSession[]> {
    const places = rows.map(({ path }) => inDatabase(path));
    for (const database of new Set(places.flatMap((place) => place?.database ?? []))) {
      const ids = places.flatMap((place) => (place?.database === database ? [place.sessionId] : []));
      await this.readUsages(database, ids).catch(() => {});
    }
    return Promise.all(
      rows.map(async (row, index) => {
        const { database = '', sessionId = '' } = places[index] ?? {};
        const fills = this.inDatabases.get(database)?.fills;
        const usage = this.inDatabases.get(database)?.usages.get(sessionId);
        const fill = fills?.get(sessionId) ?? this.fillOf(row, usage);
        fills?.set(sessionId, fill);
        return { ...row, ...(await fill) };
      }),
    );
  }

  /** @param size size of the file in bytes; undefined for a session without its own file */
  private async fillOf(
    head: ListedSession,
    usage: LastUsage | undefined,
    size = 0,
    isWatched = false,
  ): Promise<Fill> {
    const { fill } = this;
    if (fill === undefined) return { usage };
    const model = usage?.model ?? head.model;
    const limits = await fill.limitsOf?.({ agent: head.agent, model, folder: head.workspace });
    const hasEither =
      usage?.window === undefined &&
      usage?.hasOwnWindows !== true &&
      model !== undefined &&
      fill.factsOf(model).otherWindow !== undefined;
    const isDocument = size > 0 && inDocuments.has(head.agent);
    const isTold =
      usage !== undefined && usage.isOvertaken !== true && !hasEither && !isDocument && !isWatched;
    const largest = isDocument && usage !== undefined && !isWatched ? largestDocument : largestWhole;
    const fullness = isTold || size > largest ? undefined : await fill.fullnessOf(head.path);
    return { usage, fullness, limits };
  }

  private async usageOf(
    { path, place }: FoundFile,
    { window }: ListedSession,
  ): Promise<LastUsage | undefined> {
    if (isSessionInFolder(path)) return opencodeUsage(await lastFolderMessages(path, messagesSearched));
    const tail = await this.endOf(path, tailSize);
    const usage =
      place.isOfRecordings === true
        ? recordingUsage(tail)
        : lastUsage(place.agent, tail, await tellingPartOf(path, tailSize, this));
    return usage !== undefined && window !== undefined ? { window, ...usage } : usage;
  }

  private async readUsages(database: string, ids: readonly string[]): Promise<void> {
    const version = await databaseVersion(database);
    const known = this.inDatabases.get(database);
    const isKnown = known?.version === version;
    const usages = isKnown ? known.usages : new Map<string, LastUsage | undefined>();
    const fills = isKnown ? known.fills : new Map<string, Promise<Fill>>();
    const unread = ids.filter((id) => !usages.has(id));
    if (unread.length > 0) {
      for (const [id, messages] of await lastMessages(database, unread, messagesSearched)) {
        usages.set(id, opencodeUsage(messages));
      }
    }
    this.inDatabases.set(database, { version, usages, fills });
  }
}

interface KnownUsages {
  readonly version: string;
  readonly usages: Map<string, LastUsage | undefined>;
  readonly fills: Map<string, Promise<Fill>>;
}

function isCurrent<Value>(
  known: Known<Value> | undefined,
  { changedAt, size }: FoundFile,
): known is Known<Value> {
  return known?.changedAt === changedAt && known.size === size;
}
