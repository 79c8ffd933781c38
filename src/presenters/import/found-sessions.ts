import { basename, dirname, join, parse } from 'node:path';
import { type FoundAgent, parentSessionId, sessionHead } from '../../transcripts/found-agents.ts';
import type { Fullness } from '../../insights/context-fullness.ts';
import type { SetLimits } from '../../insights/context-limits.ts';
import type { LastUsage } from '../../transcripts/reading/agent-files.ts';
import { recordingHead } from '../../transcripts/session/recordings.ts';
import { titleOf } from '../../transcripts/reading/typed-title.ts';
import type { FoundFile } from './found-files.ts';
import { beginningOfText, headSize } from './transcript-file.ts';
import { databasePath, databaseSessions, inDatabase } from './opencode-database.ts';
import type { SessionWorkspaces } from './session-workspace.ts';

/** A session of another agent as a row of a list. Read from the beginning of its file, and later also from the end. */
export interface ListedSession
  extends Pick<FoundFile, 'idle'>, Partial<Record<'parentId' | 'sessionId', string | undefined>> {
  /** True if the session's file contains no messages. */
  readonly isEmpty?: boolean | undefined;
  readonly agent: FoundAgent;
  /** Path as `readSessionText` takes it. For a session in a database: the database, `#` and the session's id. */
  readonly path: string;
  /** Title of the session; undefined if the beginning of the file contains no possible title. */
  readonly title: string | undefined;
  /** The agent's working folder, if the file states it. */
  readonly workspace: string | undefined;
  /** Model of the last reply, if the beginning of the file states it. */
  readonly model?: string | undefined;
  /** Maximum tokens of a request, if the beginning of the file states it. */
  readonly window?: number | undefined;
  /** True if the session is about a folder that is open now. */
  readonly isOfWorkspace: boolean;
  /** Start in milliseconds since 1970. Only for a session without a title whose file states the time. */
  readonly startedAt?: number | undefined;
  /** Last change in milliseconds since 1970. */
  readonly changedAt: number;
  /** Size in bytes. */
  readonly size: number;
  /** Path of the newest recording of the session. */
  readonly recording?: string | undefined;
  /** File of the session that started this sub-agent; absent for other sessions. */
  readonly parent?: string;
  /** Sub-agents of the session that have separate files, newest first. */
  readonly subAgents?: readonly ListedSession[];
  /** Last reported usage; undefined if the end of the file reports none. */
  readonly usage?: LastUsage | undefined;
  /** Fill computed from the whole session, if the end of the file does not show it. */
  readonly fullness?: Fullness | undefined;
  /** Limits of the context from the agent's settings. */
  readonly limits?: SetLimits | undefined;
}

/** Keys by which a sub-agent may name its session: the file, its name, the UUID at the end of the name, or the id. */
export function keysOf({
  path,
  sessionId,
  recording,
}: Pick<ListedSession, 'path' | 'sessionId' | 'recording'>): readonly string[] {
  const inside = inDatabase(path)?.sessionId;
  if (inside !== undefined) return [inside, ...(recording === undefined ? [] : [recording])];
  const name = parse(path).name.replace(/\.messages$/u, '');
  const keys = [path, name, name.slice(-identifierLength), sessionId, recording];
  return [...new Set(keys.filter((key) => key !== undefined))];
}

/** Number of characters of a UUID, which ends the name of a Codex session's file. */
const identifierLength = 36;

/** The newest sessions in a database. @throws {ImportError} if the database cannot be read */
export async function sessionsInDatabase(
  database: string,
  agent: FoundAgent,
  workspaces: SessionWorkspaces,
  most: number,
): Promise<readonly ListedSession[]> {
  const sessions = await databaseSessions(database, most);
  return sessions.map(({ id, title, directory, parentId, changedAt, size }): ListedSession => ({
    agent,
    path: databasePath(database, id),
    title: title === undefined ? undefined : titleOf(title),
    workspace: directory,
    isOfWorkspace: workspaces.isOpen(directory),
    changedAt,
    size,
    parentId,
  }));
}

/**
 * Key of the session that started a sub-agent, as in `keysOf`. The sub-agent's file names the session or is in a
 * folder named after it: below `subagents` for Claude Code and Qwen Code, and in a folder named by its id for Gemini.
 */
export async function parentOf({ place, path }: Pick<FoundFile, 'place' | 'path'>): Promise<string> {
  const folder = dirname(path);
  if (place.isOfRecordings === true) return `${folder}.jsonl`;
  if (place.agent === 'gemini-cli') return basename(folder);
  if (basename(folder) === 'subagents') return `${dirname(folder)}.jsonl`;
  if (basename(dirname(folder)) === 'subagents') {
    return join(dirname(dirname(folder)), 'chats', `${basename(folder)}.jsonl`);
  }
  const id = parentSessionId(await beginningOfText(path, headSize)) ?? '';
  return join(folder, `${basename(id)}.jsonl`);
}

/** Reads the row of a session from the beginning of its file. */
export async function readFoundSession(
  { place, path, names, changedAt, size, recording }: FoundFile,
  workspaces: SessionWorkspaces,
  read = beginningOfText,
): Promise<ListedSession> {
  const { agent, isOfRecordings } = place;
  const text = await read(path, headSize);
  const head = isOfRecordings === true ? recordingHead(text) : sessionHead(agent, text);
  const workspace = await workspaces.of(agent, head, place.folder, names);
  return {
    agent,
    path,
    title: head.title === undefined ? undefined : titleOf(head.title),
    workspace,
    isOfWorkspace: workspaces.isOpen(workspace),
    changedAt,
    size,
    model: head.model,
    window: head.window,
    startedAt: head.startedAt === undefined ? undefined : Date.parse(head.startedAt),
    parentId: head.parentId,
    sessionId: head.sessionId,
    recording: recording?.path,
    // Messages may follow after the beginning that was read.
    isEmpty: (head.isEmpty === true && size <= headSize) || undefined,
  };
}
