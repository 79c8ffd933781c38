import { basename, dirname, join, parse } from 'node:path';
import { parentSessionId, sessionHead } from '../../transcripts/session-head.ts';
import type { SessionHead } from '../../transcripts/head-fields.ts';
import type { FoundAgent, SessionPlace } from '../../transcripts/session-places.ts';
import { titleOf } from '../../transcripts/typed-title.ts';
import { databasesIn, filesIn, type FoundFile, fullestOf, inGroups, namesBelow } from './found-files.ts';
import { beginningOf, headSize } from './transcript-file.ts';
import { databasePath, databaseSessions, inDatabase } from './opencode-database.ts';
import { SessionWorkspaces } from './session-workspace.ts';

/** A session of another agent on this computer. Only the beginning of its file was read. */
export interface FoundSession {
  readonly agent: FoundAgent;
  /** Of its file, as `readSessionText` takes it; of a session in a database, `#` and its id follow. */
  readonly path: string;
  /** Undefined if the file begins with nothing that could be one. */
  readonly title: string | undefined;
  /** The folder that the agent worked in, if the file says so. */
  readonly workspace: string | undefined;
  /** The model that replied last, if the beginning of the file says so. */
  readonly model?: string | undefined;
  /** Tokens that a request may have, if the beginning of the file says so. */
  readonly window?: number | undefined;
  /** It is about a folder that is open now. */
  readonly isOfWorkspace: boolean;
  /** Milliseconds since 1970; only for a session without a title, if its file has the time. */
  readonly startedAt?: number;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** Bytes. */
  readonly size: number;
  /** Of a sub-agent: the file of the session that started it. */
  readonly parent?: string;
}

/** Sessions that are listed at most: more than anybody scrolls through. */
const mostSessions = 500;

/**
 * Lists the newest sessions, those of the open folders first, then by time, each followed by its sub-agents. Links
 * are not followed; what cannot be read is left out, and so are empty files, sessions in which nothing was said, and
 * sub-agents of sessions that are not listed.
 *
 * @param folders that are open, absolute
 * @throws {CancelledError} if the signal was aborted
 */
export async function findSessions(
  places: readonly SessionPlace[],
  folders: readonly string[],
  signal: AbortSignal,
): Promise<readonly FoundSession[]> {
  const files = fullestOf(await filesIn(places, ({ levels }) => [levels], signal));
  const ofSubAgents = (await filesIn(places, ({ subAgentLevels = [] }) => subAgentLevels, signal)).slice(
    0,
    mostSessions,
  );
  const workspaces = new SessionWorkspaces(folders);
  const inFiles = await inGroups(files.slice(0, mostSessions), signal, (file) =>
    readSession(file, workspaces),
  );
  const inDatabases = await sessionsInDatabases(places, workspaces, signal);
  const all = [...inFiles, ...inDatabases].filter(({ isEmpty }) => isEmpty !== true);
  const pathOf = new Map(
    all.flatMap((session) => keysOf(session).map((key) => [`${session.agent} ${key}`, session.path])),
  );
  const subAgents = await inGroups(ofSubAgents, signal, async (file): Promise<FoundSession> => {
    const parent = pathOf.get(`${file.place.agent} ${await parentOf(file)}`) ?? '';
    return { ...(await readSession(file, workspaces)), parent };
  });
  const found = all
    .map(({ parentId, sessionId: _, ...session }): FoundSession => {
      if (parentId === undefined) return session;
      // What was started by a session that is not listed is not listed below another.
      return { ...session, parent: pathOf.get(`${session.agent} ${parentId}`) ?? '' };
    })
    .toSorted((one, other) => other.changedAt - one.changedAt);
  const children = new Map<string | undefined, FoundSession[]>();
  for (const session of [...found, ...subAgents]) {
    const siblings = children.get(session.parent);
    if (siblings === undefined) children.set(session.parent, [session]);
    else siblings.push(session);
  }
  const listed = new Set<FoundSession>();
  const withChildren = (session: FoundSession): readonly FoundSession[] => {
    if (listed.has(session)) return [];
    listed.add(session);
    return [session, ...(children.get(session.path) ?? []).flatMap(withChildren)];
  };
  return (children.get(undefined) ?? [])
    .slice(0, mostSessions)
    .toSorted((one, other) => Number(other.isOfWorkspace) - Number(one.isOfWorkspace))
    .flatMap(withChildren);
}

/**
 * True if there is a session in one of the places. Reads the names of files alone.
 *
 * @throws {CancelledError} if the signal was aborted
 */
export async function hasSessions(places: readonly SessionPlace[], signal: AbortSignal): Promise<boolean> {
  for (const { folder, levels } of places) {
    for await (const names of namesBelow(folder, levels, signal)) return names.length > 0;
  }
  return false;
}

/**
 * Keys by which a sub-agent may name its session: the file, its name, the identifier that ends its name, the id in it.
 */
export function keysOf({ path, sessionId }: Pick<ReadSession, 'path' | 'sessionId'>): readonly string[] {
  const inside = inDatabase(path)?.sessionId;
  if (inside !== undefined) return [inside];
  const name = parse(path).name.replace(/\.messages$/u, '');
  const keys = [path, name, name.slice(-identifierLength), sessionId];
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/** Characters of a UUID, with which Codex ends the name of a session's file. */
const identifierLength = 36;

/** Sessions in databases. An unreadable database counts as empty. */
async function sessionsInDatabases(
  places: readonly SessionPlace[],
  workspaces: SessionWorkspaces,
  signal: AbortSignal,
): Promise<readonly ReadSession[]> {
  const found: ReadSession[] = [];
  for (const place of places.filter(({ isDatabase }) => isDatabase)) {
    for (const path of await databasesIn(place, signal)) {
      found.push(...(await sessionsInDatabase(path, place.agent, workspaces, mostSessions).catch(() => [])));
    }
  }
  return found;
}

/**
 * The newest sessions in a database.
 *
 * @throws {ImportError} if the database cannot be read
 */
export async function sessionsInDatabase(
  database: string,
  agent: FoundAgent,
  workspaces: SessionWorkspaces,
  most: number,
): Promise<readonly ReadSession[]> {
  const sessions = await databaseSessions(database, most);
  return sessions.map(({ id, title, directory, parentId, changedAt, size }): ReadSession => ({
    agent,
    path: databasePath(database, id),
    title: title === undefined ? undefined : titleOf(title),
    workspace: directory,
    isOfWorkspace: workspaces.isOpen(directory),
    changedAt,
    size,
    ...(parentId !== undefined && { parentId }),
  }));
}

/**
 * Key of a sub-agent's session, as in `keysOf`. The sub-agent's file names the session and is next to its file, or is
 * in a folder with its name: the parent of `subagents` for Claude Code, a subfolder of `subagents` for Qwen Code, and a
 * folder named by its id for Gemini CLI.
 */
export async function parentOf({ place, path }: Pick<FoundFile, 'place' | 'path'>): Promise<string> {
  const folder = dirname(path);
  if (place.agent === 'gemini-cli') return basename(folder);
  if (basename(folder) === 'subagents') return `${dirname(folder)}.jsonl`;
  if (basename(dirname(folder)) === 'subagents') {
    return join(dirname(dirname(folder)), 'chats', `${basename(folder)}.jsonl`);
  }
  const id = parentSessionId(await beginningOf(path, headSize)) ?? '';
  return join(folder, `${basename(id)}.jsonl`);
}

/** A session that may name the one that started it, as its file was looked at. */
export type ReadSession = FoundSession &
  Pick<FoundFile, 'idle'> &
  Pick<SessionHead, 'parentId' | 'sessionId' | 'isEmpty'>;

/** The session of a file, as far as its beginning tells. */
export async function readSession(
  { place, path, names, changedAt, size }: FoundFile,
  workspaces: SessionWorkspaces,
  read = beginningOf,
): Promise<ReadSession> {
  const { agent } = place;
  const head = sessionHead(agent, await read(path, headSize));
  const workspace = await workspaces.of(agent, head, place.folder, names);
  return {
    agent,
    path,
    title: head.title === undefined ? undefined : titleOf(head.title),
    workspace,
    isOfWorkspace: workspaces.isOpen(workspace),
    changedAt,
    size,
    ...(head.model !== undefined && { model: head.model }),
    ...(head.window !== undefined && { window: head.window }),
    ...(head.startedAt !== undefined && { startedAt: Date.parse(head.startedAt) }),
    ...(head.parentId !== undefined && { parentId: head.parentId }),
    ...(head.sessionId !== undefined && { sessionId: head.sessionId }),
    // Messages may come after the part that was read.
    ...(head.isEmpty === true && size <= headSize && { isEmpty: true }),
  };
}
