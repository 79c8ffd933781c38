import type { FoundAgent, SessionPlace } from '../../transcripts/session-places.ts';
import { type LastUsage, lastUsage } from '../../transcripts/last-usage.ts';
import { filesIn, type FoundFile, inGroups } from '../import/found-files.ts';
import {
  type FoundSession,
  parentOf,
  type ReadSession,
  readSession,
  sessionsInDatabases,
} from '../import/found-sessions.ts';
import { SessionWorkspaces } from '../import/session-workspace.ts';
import { beginningOf, endOf, headSize } from '../import/transcript-file.ts';

/** A session in the list, with what both ends of its file say. */
export interface ListedSession extends FoundSession {
  /** Undefined if the end of the file reports none. */
  readonly usage: LastUsage | undefined;
  /** Conversations of its sub-agents in files of their own, newest first. */
  readonly subAgents: readonly ListedSession[];
}

/** The sessions of an agent, as far as their files are known by name. */
export interface AgentSessions {
  readonly agent: FoundAgent;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Part of an agent's sessions. */
export interface SessionPage {
  readonly sessions: readonly ListedSession[];
  /** Sessions that were not looked into. */
  readonly left: number;
}

/** Reads an end of a file, at most so many bytes. */
type ReadEnd = (path: string, size: number) => Promise<string>;

export interface CataloguePorts {
  readonly places: readonly SessionPlace[];
  /** Folders that are open, absolute. */
  readonly folders: readonly string[];
  readonly beginningOf?: ReadEnd;
  readonly endOf?: ReadEnd;
}

/** Bytes at the end of a file that are searched for the last reported usage. */
export const tailSize = 65_536;
/** Files of sub-agents that are looked for below sessions. */
const mostSubAgents = 500;
const never = new AbortController().signal;

/**
 * The sessions of other agents on this computer. Their files are listed by name and time alone; the ends of a file
 * are read when its session is asked for, and again only once it has changed.
 */
export class SessionCatalogue {
  private readonly ports: CataloguePorts;
  private readonly workspaces: SessionWorkspaces;
  /** Names that Claude Code gives the folders of what is open here. */
  private readonly projects: readonly string[];
  private readonly read = new Map<string, { readonly changedAt: number; readonly session: ListedFile }>();
  /** Files of sessions by those of their sub-agents. */
  private readonly parents = new Map<string, string>();
  private files: ReadonlyMap<FoundAgent, readonly FoundFile[]> = new Map();
  private subAgentFiles: readonly FoundFile[] = [];
  private inDatabases: readonly ReadSession[] = [];

  constructor(ports: CataloguePorts) {
    this.ports = ports;
    this.workspaces = new SessionWorkspaces(ports.folders);
    this.projects = ports.folders.map((folder) => folder.replaceAll(/[^a-zA-Z\d]/g, '-'));
  }

  /** Lists the files again, without reading any. */
  async list(signal: AbortSignal = never): Promise<readonly AgentSessions[]> {
    const { places } = this.ports;
    const files = await filesIn(places, ({ levels }) => [levels], signal);
    this.subAgentFiles = await filesIn(places, ({ subAgentLevels = [] }) => subAgentLevels, signal);
    this.inDatabases = await sessionsInDatabases(places, this.workspaces, signal);
    this.files = groupedBy(files, ({ place }) => place.agent);
    const agents = new Set([...this.files.keys(), ...this.inDatabases.map(({ agent }) => agent)]);
    return [...agents]
      .map((agent) => this.summary(agent))
      .toSorted((one, other) => other.changedAt - one.changedAt);
  }

  /**
   * The newest sessions of an agent, those of the open folders first.
   *
   * @param count sessions that are looked into
   */
  async page(agent: FoundAgent, count: number, signal: AbortSignal = never): Promise<SessionPage> {
    const files = (this.files.get(agent) ?? []).toSorted(
      (one, other) => Number(this.isOfProject(other)) - Number(this.isOfProject(one)),
    );
    const fromFiles = await inGroups(files.slice(0, count), signal, (file) => this.sessionIn(file));
    const rows = this.inDatabases.filter((session) => session.agent === agent);
    const listed = [...fromFiles, ...rows.map((row): ListedFile => ({ ...row, usage: undefined }))];
    const subAgents = await this.subAgentsOf(fromFiles, signal);
    const below = groupedBy(
      listed.filter(({ parentId }) => parentId !== undefined),
      ({ parentId }) => parentId,
    );
    const sessions = listed
      .filter(({ parentId }) => parentId === undefined)
      .map((session): ListedSession => {
        const own = [...below].flatMap(([id = '', ones]) => (session.path.includes(id) ? ones : []));
        const ones = [...own, ...(subAgents.get(session.path) ?? [])];
        return { ...session, subAgents: ones.map((one) => ({ ...one, subAgents: [] })) };
      })
      .toSorted(
        (one, other) =>
          Number(other.isOfWorkspace) - Number(one.isOfWorkspace) || other.changedAt - one.changedAt,
      );
    return { sessions, left: Math.max(0, files.length - count) };
  }

  private summary(agent: FoundAgent): AgentSessions {
    const files = this.files.get(agent) ?? [];
    const rows = this.inDatabases.filter((session) => session.agent === agent);
    const changedAt = Math.max(0, files[0]?.changedAt ?? 0, ...rows.map((row) => row.changedAt));
    return { agent, count: files.length + rows.length, changedAt };
  }

  /** Sub-agents by the files of the sessions that started them. */
  private async subAgentsOf(
    sessions: readonly ListedFile[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly ListedFile[]>> {
    const paths = new Set(sessions.map(({ path }) => path));
    const newest = this.subAgentFiles.slice(0, mostSubAgents);
    const below = await inGroups(newest, signal, async (file) => {
      const parent = this.parents.get(file.path) ?? (await parentOf(file));
      this.parents.set(file.path, parent);
      return paths.has(parent) ? { parent, session: await this.sessionIn(file) } : undefined;
    });
    const grouped = [...groupedBy(below, ({ parent }) => parent)];
    return new Map(grouped.map(([parent, ones]) => [parent, ones.map(({ session }) => session)]));
  }

  private isOfProject({ place, names }: FoundFile): boolean {
    return place.agent === 'claude-code' && this.projects.includes(names[0] ?? '');
  }

  private async sessionIn(file: FoundFile): Promise<ListedFile> {
    const { path, changedAt, place } = file;
    const known = this.read.get(path);
    if (known?.changedAt === changedAt) return known.session;
    const { beginningOf: head = beginningOf, endOf: end = endOf } = this.ports;
    const found = await readSession(file, this.workspaces, head);
    const tail = file.size > headSize ? await end(path, tailSize) : await head(path, headSize);
    const session = { ...found, usage: lastUsage(place.agent, tail) };
    this.read.set(path, { changedAt, session });
    return session;
  }
}

type ListedFile = ReadSession & Pick<ListedSession, 'usage'>;

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

/** Milliseconds since its last change in which a session counts as one that goes on. */
export const liveFor = 3 * 60_000;

/** Newest files of an agent that are looked into. */
const mostLookedInto = 10;

/**
 * The session of another agent about an open folder that was written to last, if that was just now.
 *
 * @param now milliseconds since 1970
 */
export async function growingSession(
  catalogue: SessionCatalogue,
  now: number,
): Promise<ListedSession | undefined> {
  const isLive = ({ changedAt }: { readonly changedAt: number }) => now - changedAt < liveFor;
  const agents = (await catalogue.list()).filter(isLive);
  const pages = await Promise.all(agents.map(({ agent }) => catalogue.page(agent, mostLookedInto)));
  return pages
    .flatMap(({ sessions }) => sessions)
    .filter((session) => session.isOfWorkspace && isLive(session))
    .toSorted((one, other) => other.changedAt - one.changedAt)[0];
}
