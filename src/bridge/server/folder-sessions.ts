import { basename, dirname, parse } from 'node:path';
import { englishWording } from '../../language/translated/wording.ts';
import { messageOf } from '../../compaction/records/reason.ts';
import { inLine, quoted } from '../../compaction/quoting/quoted.ts';
import { ellipsised } from '../../compaction/text/clip.ts';
import { agentTitles } from '../../language/agent-titles.ts';
import type { ListedSession } from '../../presenters/import/found-sessions.ts';
import type { FoundFile } from '../../presenters/import/found-files.ts';
import { inDatabase } from '../../presenters/import/opencode-database.ts';
import type { ReadOnlyPorts, ReadOnlySession } from '../../presenters/import/read-only-session.ts';
import { realOf, SessionWorkspaces } from '../../presenters/import/session-workspace.ts';
import { LiveSession } from '../../presenters/live/live-session.ts';
import { readerOf, type SessionReader } from '../../presenters/live/session-reader.ts';
import { FolderChanges } from '../../presenters/sessions/folder-changes.ts';
import { HeadAndTail } from '../../presenters/sessions/head-and-tail.ts';
import { titleOfSession } from '../../presenters/import/session-title.ts';
import { SessionFiles } from '../../presenters/sessions/session-files.ts';
import { withLikeRecordings } from '../../presenters/sessions/session-recordings.ts';
import type { FoundAgent, SessionPlace } from '../../transcripts/found-agents.ts';

/** A session that an agent held in a folder, as listed now. */
interface FolderSession extends Pick<
  ListedSession,
  'agent' | 'path' | 'recording' | 'workspace' | 'changedAt'
> {
  readonly title: string;
  /** Name that the agent gave the session, by which models request the session. */
  readonly id: string;
}

/** A session with its content. */
export interface ServedSession extends FolderSession {
  readonly session: ReadOnlySession;
  /** Reason why the file cannot be read now. `session` then has an earlier state. */
  readonly problem?: string | undefined;
}

/** The session of the last request. */
interface Opened {
  readonly path: string;
  readonly recording: string | undefined;
  /** Remembers unreadable files, so that repeated requests do not read them again. */
  readonly reader: SessionReader;
  readonly live: Promise<LiveSession>;
}

/** Error for an unavailable session, with the reason for a model. */
export class NoSessionError extends Error {
  override readonly name = 'NoSessionError';
}

/** The sessions found for some folders. */
interface Listing {
  /** The folders as one string. */
  readonly folders: string;
  readonly workspaces: SessionWorkspaces;
  readonly changes: FolderChanges;
  readonly files: SessionFiles;
  readonly ends: HeadAndTail;
  /** The sessions, and the files in which they were found. */
  found?: { readonly files: readonly FoundFile[]; readonly sessions: readonly FolderSession[] };
}

/** Maximum characters of an id that an answer repeats. */
const longestId = 200;
/** Maximum number of sessions listed. */
const mostListed = 50;

/**
 * The sessions that agents held in one folder. A request examines what has changed since the one before, where changes
 * are reported, or else all files by name and time. The beginning of a file is read again only after a change, and only
 * the appended part of the last session is read.
 */
export class FolderSessions {
  private readonly places: readonly SessionPlace[];
  private readonly ports: ReadOnlyPorts;
  private readonly folders: () => Promise<readonly string[]>;
  private listing: Listing | undefined;
  private opened: Opened | undefined;

  /** @param folders returns the folders to which sessions must belong */
  constructor(
    places: readonly SessionPlace[],
    ports: ReadOnlyPorts,
    folders: () => Promise<readonly string[]>,
  ) {
    // Sub-agents are left out, because a session may have any number of them.
    this.places = places.map(({ subAgentLevels: _, ...place }) => place);
    this.ports = ports;
    this.folders = folders;
  }

  /** Lists sessions, newest first. @param agent the list has only this agent's sessions, if any exist */
  async list(agent: FoundAgent | undefined, signal: AbortSignal): Promise<readonly FolderSession[]> {
    const listing = this.listingFor(await this.folders());
    await listing.files.update(signal);
    const here = await sessionsIn(listing, signal);
    const own = here.filter((session) => session.agent === agent);
    return (own.length > 0 ? own : here).slice(0, mostListed);
  }

  /**
   * Reads a session.
   * @param id id of a session from `list`; by default the newest session
   * @throws {NoSessionError} if the session is missing
   * @throws {SentenceError} if its file cannot be read
   */
  async open(
    id: string | undefined,
    agent: FoundAgent | undefined,
    signal: AbortSignal,
  ): Promise<ServedSession> {
    const all = await this.list(id === undefined ? agent : undefined, signal);
    const unread = this.listing?.files.problems ?? [];
    // If an agent's own session cannot be read, another agent's session would be the wrong answer.
    const isOwnUnread = unread.some((one) => one.agent === agent) && all[0]?.agent !== agent;
    const found =
      id !== undefined ? all.find((session) => session.id === id) : isOwnUnread ? undefined : all[0];
    if (found === undefined) {
      const ids = all.map((session) => `\n${quoted(session.id)}`).join('');
      const none =
        all.length === 0
          ? 'No session of an agent was found for this folder.'
          : id === undefined
            ? 'No session of this agent was found for this folder.'
            : `There is no session "${ellipsised(id, longestId)}" for this folder.`;
      const problems = unread.map(
        (one) => `The sessions of ${agentTitles[one.agent]} could not be read. ${one.reason.english}`,
      );
      const others = id === undefined || all.length === 0 ? [] : [`There are:${ids}`];
      throw new NoSessionError([none, ...problems, ...others].join(' '));
    }
    return { ...found, ...(await this.contentOf(found, signal)) };
  }

  private listingFor(open: readonly string[]): Listing {
    // A changed link may lead to another folder.
    const folders = JSON.stringify(open.map((folder) => [folder, realOf(folder)]));
    if (this.listing?.folders !== folders) {
      const workspaces = new SessionWorkspaces(open);
      const changes = new FolderChanges();
      const files = new SessionFiles(this.places, workspaces, changes);
      this.listing?.changes.stop();
      this.listing = { folders, workspaces, changes, files, ends: new HeadAndTail(workspaces) };
    }
    return this.listing;
  }

  private async contentOf(
    { path, recording, workspace }: FolderSession,
    signal: AbortSignal,
  ): Promise<Pick<ServedSession, 'session' | 'problem'>> {
    // The previous session is released first, so that memory never holds two sessions.
    if (this.opened?.path !== path || this.opened.recording !== recording) this.opened = undefined;
    const live = await this.opened?.live.catch(() => undefined);
    if (live !== undefined) {
      const problem = await live.readNew().then(() => undefined, messageOf);
      return { session: live, problem };
    }
    const reader = this.opened?.reader ?? readerOf({ path, recording });
    const listed = () => Promise.resolve({ workspace });
    const marks = this.ports.marksOf?.(path);
    const ports = { ...this.ports, reader, marks, name: idOf(path), listed, failed: () => {} };
    const opened = { path, recording, reader, live: LiveSession.open(ports, signal) };
    this.opened = opened;
    return { session: await opened.live };
  }
}

/** Returns the sessions of the folders, newest first. Nothing is read if no file has changed. */
async function sessionsIn(listing: Listing, signal: AbortSignal): Promise<readonly FolderSession[]> {
  const { newest, inDatabases, recordings } = listing.files;
  if (listing.found?.files === newest) return listing.found.sessions;
  const { workspaces, ends } = listing;
  const possible = newest.filter(({ place, names }) => workspaces.named(place.agent, names) !== 'other');
  await ends.readHeads(possible, signal);
  const read = possible.flatMap((file) => {
    const head = ends.known(file);
    return head === undefined ? [] : { ...head, recording: file.recording?.path };
  });
  const sessions = withLikeRecordings([...read, ...inDatabases], recordings)
    .filter(({ isOfWorkspace, parentId, isEmpty }) => {
      return isOfWorkspace && parentId === undefined && isEmpty !== true;
    })
    .toSorted((one, other) => other.changedAt - one.changedAt)
    .map((session) => {
      const { agent, path, recording, workspace, changedAt } = session;
      const title = inLine(titleOfSession(session, englishWording));
      return { agent, path, recording, title, workspace, changedAt, id: idOf(path) };
    });
  // A file that could not be read is tried again.
  if (read.length === possible.length) listing.found = { files: newest, sessions };
  return sessions;
}

/** File names that some agents use for every session. The session's name is then the name of the folder. */
const commonNames: ReadonlySet<string> = new Set(['events', 'api_conversation_history']);

/** Returns the id of a session on one line, so that a file name cannot add lines to an answer. */
function idOf(path: string): string {
  return inLine(inDatabase(path)?.sessionId ?? nameOf(path));
}

function nameOf(path: string): string {
  const name = parse(path).name.replace(/\.messages$/u, '');
  return commonNames.has(name) ? basename(dirname(path)) : name;
}
