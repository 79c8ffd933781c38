import type { FoundAgent, SessionPlace } from '../../transcripts/found-agents.ts';
import { type FoundFile, inGroups } from '../import/found-files.ts';
import { keysOf, type ListedSession, parentOf } from '../import/found-sessions.ts';
import { inDatabase } from '../import/opencode-database.ts';
import { SessionWorkspaces } from '../import/session-workspace.ts';
import { type FillPorts, type ReadEnd, HeadAndTail } from './head-and-tail.ts';
import { type ListingProblem, liveFor, SessionFiles } from './session-files.ts';
import { withLikeRecordings } from './session-recordings.ts';

/** The sessions of an agent. Only their file names are known. */
interface AgentSessions {
  readonly agent: FoundAgent;
  readonly count: number;
  /** Time of the last change in milliseconds since 1970. */
  readonly changedAt: number;
}

interface SessionPage {
  readonly sessions: readonly ListedSession[];
  /** Number of sessions that were not read. */
  readonly left: number;
}

interface CataloguePorts {
  readonly places: readonly SessionPlace[];
  /** Absolute paths of the open folders. */
  readonly folders: readonly string[];
  readonly beginningOf?: ReadEnd;
  readonly endOf?: ReadEnd;
  readonly fill?: FillPorts;
}

const mostLevels = 8;
const mostSubAgents = 500;
const never = new AbortController().signal;

/** The sessions of other agents on this computer, by file name and time. File contents are read only when requested. */
export class SessionCatalogue {
  private readonly files: SessionFiles;
  private readonly ends: HeadAndTail;
  private readonly workspaces: SessionWorkspaces;
  /** Sub-agent file → key of the session that started it. */
  private readonly parents = new Map<string, string>();
  private listing: Promise<boolean> | undefined;

  constructor({ places, folders, fill, ...read }: CataloguePorts) {
    this.workspaces = new SessionWorkspaces(folders);
    this.files = new SessionFiles(places, this.workspaces);
    this.ends = new HeadAndTail(this.workspaces, read, fill);
  }

  /** Databases that could not be listed, and folders that were listed only partly. */
  get problems(): readonly ListingProblem[] {
    return this.files.problems;
  }

  /** Lists the files again, without reading them. */
  async list(signal: AbortSignal = never): Promise<readonly AgentSessions[]> {
    this.listing = this.files.list(signal);
    await this.listing;
    return this.agents();
  }

  /** Returns the last listing, or lists the files for the first time. */
  async listOnce(): Promise<readonly AgentSessions[]> {
    this.listing ??= this.files.list(never);
    await this.listing;
    return this.agents();
  }

  /** Checks all files again. @returns true if anything has changed */
  lookAtAll(): Promise<boolean> {
    this.listing = this.files.list(never);
    return this.listing;
  }

  /** Checks changed paths. @returns true if one of them belongs or belonged to a session */
  lookAt(paths: Iterable<string>): Promise<boolean> {
    return this.files.lookAt(paths);
  }

  /** The newest sessions of an agent, sessions of the open folders first. @param count maximum number of sessions */
  async page(agent: FoundAgent, count: number, signal: AbortSignal = never): Promise<SessionPage> {
    const files = this.files.newest.filter((file) => file.place.agent === agent && this.isListed(file));
    const rows = this.files.inDatabases.filter((row) => row.agent === agent);
    return this.pageOf(
      workspaceFirst(files, (file) => this.isOfWorkspace(file)),
      workspaceFirst(rows, ({ isOfWorkspace }) => isOfWorkspace),
      count,
      signal,
    );
  }

  /** The newest sessions about open folders. A session counts if its content or its folder name shows this. */
  async ofWorkspace(count: number, signal: AbortSignal = never): Promise<SessionPage> {
    const own = this.files.newest.filter((file) => this.isListed(file) && this.isOfWorkspace(file));
    const rows = this.files.inDatabases.filter(({ isOfWorkspace }) => isOfWorkspace);
    const { sessions, left } = await this.pageOf(own, rows, count, signal);
    return { sessions: sessions.filter(({ isOfWorkspace }) => isOfWorkspace), left };
  }

  /** The session at a path as in `ListedSession`, without its sub-agents; undefined if the path is in no place. */
  async find(path: string): Promise<ListedSession | undefined> {
    await this.listOnce();
    await this.lookAt([inDatabase(path)?.database ?? path]);
    const file = this.files.at(path);
    if (file !== undefined) {
      const session = await this.ends.listed(file);
      const known = this.files.newest.flatMap(
        (other) => (other.path === path ? [] : this.ends.known(other)) ?? [],
      );
      return this.withLike([session, ...known]).find((one) => one.path === path) ?? session;
    }
    const row = this.files.inDatabases.find((one) => one.path === path);
    return row === undefined ? undefined : (await this.ends.listedRows([row]))[0];
  }

  /** Path of the session that a recording belongs to; the path of the recording if no session is known. */
  async sessionRecordedAt(path: string): Promise<string> {
    await this.lookAtAll();
    const { newest, inDatabases } = this.files;
    const session =
      newest.find(({ recording }) => recording?.path === path) ??
      inDatabases.find(({ recording }) => recording === path);
    return session?.path ?? path;
  }

  /** Reads the beginnings of all new and changed files, newest first. */
  async readAll(signal: AbortSignal = never): Promise<void> {
    await this.ends.readHeads(this.files.newest, signal);
  }

  /** All sessions that were read: sessions of the open folders first, then by time. Sub-agents follow their session. */
  async all(signal: AbortSignal = never): Promise<readonly ListedSession[]> {
    const read = this.files.newest.flatMap((file) => this.ends.known(file) ?? []).filter(isSaid);
    const sessions = await this.nested(
      this.withLike([...read, ...this.files.inDatabases]),
      (file) => this.ends.head(file),
      signal,
    );
    return sessions.flatMap((session) => withSubAgents(session));
  }

  /** The live sessions about open folders, last changed first. @param now milliseconds since 1970 */
  async growing(now: number): Promise<readonly ListedSession[]> {
    const goesOn = (one: { readonly changedAt: number }) => isLive(one, now);
    const files = await inGroups(this.files.newest.filter(goesOn), never, (file) =>
      this.ends.listed(file, this.isOfWorkspace(file)),
    );
    const rows = await this.ends.listedRows(this.files.inDatabases.filter(goesOn));
    return this.withLike([...files, ...rows])
      .filter(isSaid)
      .filter(({ isOfWorkspace, parentId }) => isOfWorkspace && parentId === undefined)
      .toSorted((one, other) => other.changedAt - one.changedAt);
  }

  /** Number of sessions that `ofWorkspace` finds, without sub-agents. */
  get countOfWorkspace(): number {
    return this.agentsOfWorkspace.reduce((sum, { count }) => sum + count, 0);
  }

  /** Agents with sessions that `ofWorkspace` finds, by the time of their last change. */
  get agentsOfWorkspace(): readonly AgentSessions[] {
    return this.agents(true);
  }

  private agents(isOfWorkspace = false): readonly AgentSessions[] {
    const { newest, inDatabases } = this.files;
    const found = new Map<FoundAgent, AgentSessions>();
    const sessions = [
      ...newest
        .filter((file) => this.isListed(file) && this.ends.known(file)?.parentId === undefined)
        .filter((file) => !isOfWorkspace || this.isOfWorkspace(file))
        .map(({ place, changedAt }) => ({ agent: place.agent, changedAt })),
      ...inDatabases.filter((row) => row.parentId === undefined && (!isOfWorkspace || row.isOfWorkspace)),
    ];
    for (const { agent, changedAt } of sessions) {
      const known = found.get(agent) ?? { agent, count: 0, changedAt: 0 };
      found.set(agent, { agent, count: known.count + 1, changedAt: Math.max(known.changedAt, changedAt) });
    }
    return [...found.values()].toSorted((one, other) => other.changedAt - one.changedAt);
  }

  private async pageOf(
    files: readonly FoundFile[],
    rows: readonly ListedSession[],
    count: number,
    signal: AbortSignal,
  ): Promise<SessionPage> {
    const fromFiles = await inGroups(files.slice(0, count), signal, (file) => this.ends.listed(file));
    const fromRows = await this.ends.listedRows(rows.slice(0, count));
    const listed = this.withLike([...fromFiles.filter(isSaid), ...fromRows]);
    const sessions = await this.nested(listed, (file) => this.ends.listed(file), signal);
    const left = Math.max(0, files.length - count) + Math.max(0, rows.length - count);
    return { sessions, left };
  }

  /** Sessions of the open folders, then all others, each part sorted by time. Sub-agents follow their session. */
  private async nested(
    listed: readonly ListedSession[],
    read: (file: FoundFile) => Promise<ListedSession>,
    signal: AbortSignal,
  ): Promise<readonly ListedSession[]> {
    const below = await this.subAgentsOf(listed, read, signal);
    const spawned = groupedBy(
      listed.filter(({ parentId }) => parentId !== undefined),
      ({ parentId }) => parentId,
    );
    // Files are untrusted, and may name each other as parents in a circle.
    const placed = new Set<string>();
    const withOwn = (session: ListedSession, levels = mostLevels): ListedSession => {
      placed.add(session.path);
      if (levels === 0) return session;
      const own = keysOf(session).flatMap((id) => spawned.get(id) ?? []);
      const ones = [...own, ...(below.get(session.path) ?? [])];
      const subAgents = ones.flatMap((one) => (placed.has(one.path) ? [] : withOwn(one, levels - 1)));
      return { ...session, subAgents: this.withLike(subAgents) };
    };
    return listed
      .filter(({ parentId }) => parentId === undefined)
      .map((session) => withOwn(session))
      .toSorted(
        (one, other) =>
          Number(other.isOfWorkspace) - Number(one.isOfWorkspace) || other.changedAt - one.changedAt,
      );
  }

  /** File of a session → its sub-agents. */
  private async subAgentsOf(
    sessions: readonly ListedSession[],
    read: (file: FoundFile) => Promise<ListedSession>,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly ListedSession[]>> {
    const paths = new Map(sessions.flatMap((one) => keysOf(one).map((key) => [key, one.path] as const)));
    const newest = this.files.newestOfSubAgents.slice(0, mostSubAgents);
    const below = await inGroups(newest, signal, async (file) => {
      const key = this.parents.get(file.path) ?? (await parentOf(file));
      this.parents.set(file.path, key);
      const parent = paths.get(key);
      return parent === undefined ? undefined : { parent, session: await read(file) };
    });
    const grouped = [...groupedBy(below, ({ parent }) => parent)];
    return new Map(grouped.map(([parent, ones]) => [parent, ones.map(({ session }) => session)]));
  }

  private withLike(listed: readonly ListedSession[]): readonly ListedSession[] {
    return withLikeRecordings(listed, this.files.recordings);
  }

  /** False if the file was read and contains no messages. */
  private isListed(file: FoundFile): boolean {
    return this.ends.known(file)?.isEmpty !== true;
  }

  /** True if the session is about an open folder. For an unread file, Claude Code's project folder decides. */
  private isOfWorkspace(file: FoundFile): boolean {
    const known = this.ends.known(file);
    if (known !== undefined) return known.isOfWorkspace;
    return this.workspaces.named(file.place.agent, file.names) === 'open';
  }
}

function isSaid({ isEmpty }: Pick<ListedSession, 'isEmpty'>): boolean {
  return isEmpty !== true;
}

function workspaceFirst<Item>(
  items: readonly Item[],
  isOfWorkspace: (item: Item) => boolean,
): readonly Item[] {
  return items
    .map((item) => ({ item, rank: isOfWorkspace(item) ? 0 : 1 }))
    .toSorted((one, other) => one.rank - other.rank)
    .map(({ item }) => item);
}

function withSubAgents({ subAgents = [], ...session }: ListedSession): readonly ListedSession[] {
  return [session, ...subAgents.flatMap((one) => withSubAgents({ ...one, parent: session.path }))];
}

function groupedBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}

/** True for a live session. The file's time may be slightly in the future, because clocks differ. */
export function isLive({ changedAt }: { readonly changedAt: number }, now: number): boolean {
  return Math.abs(now - changedAt) < liveFor;
}
