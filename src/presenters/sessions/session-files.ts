import { realpath } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { hostSentences } from '../../language/english/host-english.ts';
import { type Sentence, SentenceError } from '../../language/sentence.ts';
import type { FoundAgent, SessionPlace } from '../../transcripts/found-agents.ts';
import { sessionBeside } from '../import/companion-files.ts';
import {
  databasesIn,
  describeFile,
  type Examination,
  filesBelow,
  filesIn,
  type FoundFile,
  fullestOf,
  mostNames,
} from '../import/found-files.ts';
import { type ListedSession, sessionsInDatabase } from '../import/found-sessions.ts';
import { databaseVersion } from '../import/opencode-database.ts';
import type { SessionWorkspaces } from '../import/session-workspace.ts';
import type { FolderChanges } from './folder-changes.ts';
import { withRecordings } from './session-recordings.ts';

/** Sessions of a database, valid while the database is unchanged. */
interface ReadDatabase {
  /** Modification times of the database and its log; undefined if the database must be read again. */
  readonly version: string | undefined;
  readonly sessions: readonly ListedSession[];
  readonly problem?: ListingProblem;
}

/** The examined files and databases as lists, valid until something changes. */
interface JoinedSessions extends ReturnType<typeof withRecordings> {
  readonly subAgents: readonly FoundFile[];
  readonly recordings: ReadonlySet<string>;
}

/** A database that could not be read, or a folder with too many files to examine. */
export interface ListingProblem {
  readonly agent: FoundAgent;
  readonly path: string;
  readonly reason: Sentence;
}

/** A session is live for this many milliseconds after its last change. */
export const liveFor = 3 * 60_000;

/** Maximum number of sessions listed from a database; equal to the limit on files. */
const mostInDatabase = 10_000;

/** The files that contain sessions, by name, time and size. Only databases are read, to list their sessions. */
export class SessionFiles {
  private readonly places: readonly SessionPlace[];
  private readonly workspaces: SessionWorkspaces;
  private readonly changes: FolderChanges | undefined;
  /** The places, without links to other places. */
  private distinct: readonly SessionPlace[] = [];
  /** Updates run one after another, because each ends what the one before has begun. */
  private updated: Promise<void> = Promise.resolve();
  private readonly enter = (folder: string) => this.changes?.enter(folder);
  private readonly databases = new Map<string, ReadDatabase>();
  private files = new Map<string, FoundFile>();
  private subAgentFiles = new Map<string, FoundFile>();
  /** Folders that were examined only partly, by path. */
  private large: ReadonlyMap<string, ListingProblem> = new Map();
  private sorted: JoinedSessions | undefined;

  /** @param changes tells `update` what to examine; without it, `update` examines everything */
  constructor(places: readonly SessionPlace[], workspaces: SessionWorkspaces, changes?: FolderChanges) {
    this.places = places;
    this.workspaces = workspaces;
    this.changes = changes;
  }

  /** The files of sessions, newest first, without smaller copies. The same list until something changes. */
  get newest(): readonly FoundFile[] {
    return this.joined.files;
  }

  /** The files of sub-agents, newest first. */
  get newestOfSubAgents(): readonly FoundFile[] {
    return this.joined.subAgents;
  }

  /** The file of a session or sub-agent, if the path is in one of the places. */
  at(path: string): FoundFile | undefined {
    return (
      this.newest.find((file) => file.path === path) ?? this.files.get(path) ?? this.subAgentFiles.get(path)
    );
  }

  get inDatabases(): readonly ListedSession[] {
    return this.joined.rows;
  }

  /** Paths of the recordings that are listed or belong to sub-agents. */
  get recordings(): ReadonlySet<string> {
    return this.joined.recordings;
  }

  private get joined(): JoinedSessions {
    if (this.sorted !== undefined) return this.sorted;
    const { files, rows } = withRecordings({
      files: fullestOf(newestFirst(this.files)),
      rows: [...this.databases.values()].flatMap(({ sessions }) => sessions),
    });
    const subAgents = newestFirst(this.subAgentFiles);
    const recordings = [...files, ...subAgents].filter(({ place }) => place.isOfRecordings === true);
    this.sorted = { files, rows, subAgents, recordings: new Set(recordings.map(({ path }) => path)) };
    return this.sorted;
  }

  /** Databases that could not be read at the last attempt, and folders that were examined only partly. */
  get problems(): readonly ListingProblem[] {
    const ofDatabases = [...this.databases.values()].flatMap(({ problem }) => problem ?? []);
    return [...this.large.values(), ...ofDatabases];
  }

  /** Examines all places. @returns true if anything has changed @throws {CancelledError} if the signal was aborted */
  async list(signal: AbortSignal): Promise<boolean> {
    await this.changes?.begin(this.places.map(({ folder }) => folder));
    const places = await distinctPlaces(this.places);
    this.distinct = places;
    const large = new Map<string, ListingProblem>();
    const cut = ({ agent, folder: path }: SessionPlace) => {
      const reason = hostSentences.say('tooManyFiles', { most: mostNames.toLocaleString('en') });
      large.set(path, { agent, path, reason });
    };
    const examination: Examination = { signal, cut, enter: this.enter };
    const found = await filesIn(places, ({ levels }) => [levels], examination);
    const ofSubAgents = await filesIn(places, ({ subAgentLevels = [] }) => subAgentLevels, examination);
    const hasRead = await this.readDatabases(places, signal);
    const [files, subAgentFiles] = [byPath(found, this.files), byPath(ofSubAgents, this.subAgentFiles)];
    const isSame = isSameList(files, this.files) && isSameList(subAgentFiles, this.subAgentFiles);
    this.large = large;
    this.changes?.end();
    if (isSame) return hasRead;
    this.files = files;
    this.subAgentFiles = subAgentFiles;
    this.sorted = undefined;
    return true;
  }

  /** Examines what has changed since the last call. @throws {CancelledError} if the signal was aborted */
  update(signal: AbortSignal): Promise<void> {
    const updated = this.updated.then(() => this.updateNow(signal));
    this.updated = updated.catch(() => {});
    return updated;
  }

  private async updateNow(signal: AbortSignal): Promise<void> {
    const changed = await this.changes?.take();
    if (changed === undefined) {
      await this.list(signal);
      return;
    }
    await this.lookAt(changed);
    await this.readDatabases(this.distinct, signal);
    this.changes?.end();
  }

  /** Examines some paths after a change. @returns true if one of them belongs or belonged to a session */
  async lookAt(paths: Iterable<string>): Promise<boolean> {
    let isOfSession = false;
    const folders = this.places.map(({ folder }) => comparable(folder));
    for (const path of new Set(Array.from(paths, (one) => sessionBeside(one) ?? one))) {
      this.changes?.leave(path);
      const where = comparable(path);
      for (const place of this.places.filter((_place, index) => where.startsWith(folders[index]!)))
        isOfSession = (await this.lookAtOne(path, place)) || isOfSession;
    }
    if (isOfSession) this.sorted = undefined;
    return isOfSession;
  }

  private async lookAtOne(path: string, place: SessionPlace): Promise<boolean> {
    const names = relative(place.folder, path).split(sep);
    if (place.isDatabase === true) {
      const isDatabase = fits(
        [...names.slice(0, -1), names.at(-1)?.replace(/-wal$/u, '') ?? ''],
        place.levels,
      );
      if (isDatabase) await this.readDatabases([place], never);
      return isDatabase;
    }
    const isOfSubAgent = (place.subAgentLevels ?? []).some((levels) => fits(names, levels));
    if (!isOfSubAgent && !fits(names, place.levels)) return this.lookAtFolder(path, place);
    const files = isOfSubAgent ? this.subAgentFiles : this.files;
    const file = await describeFile(place, names).catch(() => undefined);
    if (file === undefined) return files.delete(join(place.folder, ...names));
    files.set(file.path, since(file, files.get(file.path)));
    return true;
  }

  /** Examines an added or removed folder, because the file system reports no events for its files. */
  private async lookAtFolder(path: string, place: SessionPlace): Promise<boolean> {
    const names = path === place.folder ? [] : relative(place.folder, path).split(sep);
    const kinds = [
      [this.files, place.levels] as const,
      ...(place.subAgentLevels ?? []).map((levels) => [this.subAgentFiles, levels] as const),
    ];
    let isOfSession = false;
    for (const [files, levels] of kinds.filter(([, levels]) => isAbove(names, levels))) {
      const found = await filesBelow(place, names, levels, { signal: never, enter: this.enter });
      const paths = new Set(found.map((file) => file.path));
      for (const file of found) files.set(file.path, since(file, files.get(file.path)));
      for (const known of files.values()) {
        const isHere = known.place === place && fits(known.names, levels) && isAt(names, known.names);
        if (isHere && !paths.has(known.path)) isOfSession = files.delete(known.path);
      }
      isOfSession ||= found.length > 0;
    }
    return isOfSession;
  }

  /** @returns true if anything has changed */
  private async readDatabases(places: readonly SessionPlace[], signal: AbortSignal): Promise<boolean> {
    let hasRead = false;
    for (const place of places.filter(({ isDatabase }) => isDatabase)) {
      const { agent, folder } = place;
      const paths = await databasesIn(place, signal);
      for (const path of paths) {
        const version = await databaseVersion(path);
        const known = this.databases.get(path);
        if (known?.version === version) continue;
        const before = new Map(known?.sessions.map((one) => [one.path, one]));
        try {
          const read = await sessionsInDatabase(path, agent, this.workspaces, mostInDatabase);
          const sessions = read.map((session) => since(session, before.get(session.path)));
          this.databases.set(path, { version, sessions });
          this.sorted = undefined;
          hasRead = true;
        } catch (error) {
          if (!(error instanceof SentenceError)) throw error;
          // If reading fails, the last known sessions stay listed.
          const { sessions = [], problem } = known ?? {};
          const reason = error.sentence;
          this.databases.set(path, { version: undefined, sessions, problem: { agent, path, reason } });
          this.sorted = undefined;
          hasRead ||= problem?.reason.key !== reason.key;
        }
      }
      for (const path of this.databases.keys()) {
        if (dirname(path) !== folder || paths.includes(path)) continue;
        this.databases.delete(path);
        this.sorted = undefined;
        hasRead = true;
      }
    }
    return hasRead;
  }
}

const never = new AbortController().signal;

/** A form of a path that begins with the forms of all folders around it. Windows ignores the case of letters. */
const comparable = (path: string) =>
  process.platform === 'win32' ? (resolve(path) + sep).toLowerCase() : resolve(path) + sep;

function fits(names: readonly string[], levels: readonly RegExp[]): boolean {
  return names.length === levels.length && names.every((name, index) => levels[index]?.test(name));
}

/** True for the names of a folder that may contain files at these levels. */
function isAbove(names: readonly string[], levels: readonly RegExp[]): boolean {
  return names.length < levels.length && names.every((name, index) => levels[index]?.test(name));
}

/** True for the names of a file in a folder. */
function isAt(folder: readonly string[], file: readonly string[]): boolean {
  return folder.every((name, index) => file[index] === name);
}

function byPath(files: readonly FoundFile[], before: ReadonlyMap<string, FoundFile>): Map<string, FoundFile> {
  return new Map(files.map((file) => [file.path, since(file, before.get(file.path))]));
}

/** Adds the state before a session became live again. @param before the session at the last check */
function since<Seen extends Pick<FoundFile, 'size' | 'changedAt' | 'idle'>>(
  now: Seen,
  before: Pick<FoundFile, 'size' | 'changedAt' | 'idle'> | undefined,
): Seen {
  if (before === undefined) return now;
  const { size, changedAt } = before;
  const idle = now.changedAt - changedAt < liveFor ? before.idle : { size, changedAt };
  return idle === undefined ? now : { ...now, idle };
}

function isSameList(files: ReadonlyMap<string, FoundFile>, before: ReadonlyMap<string, FoundFile>): boolean {
  if (files.size !== before.size) return false;
  return [...files].every(([path, { changedAt, size }]) => {
    const known = before.get(path);
    return known?.changedAt === changedAt && known.size === size;
  });
}

function newestFirst(files: ReadonlyMap<string, FoundFile>): readonly FoundFile[] {
  return [...files.values()].toSorted((one, other) => other.changedAt - one.changedAt);
}

/** The places, without places that are links to other places. */
async function distinctPlaces(places: readonly SessionPlace[]): Promise<readonly SessionPlace[]> {
  const folders = new Map<string, string>();
  const known = new Set<string>();
  for (const { folder } of places) {
    if (!folders.has(folder)) folders.set(folder, await realpath(folder).catch(() => folder));
  }
  return places.filter(({ agent, folder, levels }) => {
    const identity = [agent, folders.get(folder), ...levels].join(' ');
    return !known.has(identity) && known.add(identity);
  });
}
