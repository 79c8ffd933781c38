import { lstat, realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { isInside } from '../../agent/files/workspace.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import { type Sentence, SentenceError } from '../../language/sentence.ts';
import type { FoundAgent, SessionPlace } from '../../transcripts/found-agents.ts';
import { sessionBeside } from '../import/companion-files.ts';
import {
  databasesIn,
  describeFile,
  filesIn,
  type FoundFile,
  fullestOf,
  mostNames,
} from '../import/found-files.ts';
import { type ListedSession, sessionsInDatabase } from '../import/found-sessions.ts';
import { databaseVersion } from '../import/opencode-database.ts';
import type { SessionWorkspaces } from '../import/session-workspace.ts';
import { withRecordings } from './session-recordings.ts';

/** Sessions of a database, valid while the database is unchanged. */
interface ReadDatabase {
  /** Modification times of the database and its log; undefined if the database must be read again. */
  readonly version: string | undefined;
  readonly sessions: readonly ListedSession[];
  readonly problem?: ListingProblem;
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
  private readonly databases = new Map<string, ReadDatabase>();
  private files = new Map<string, FoundFile>();
  private subAgentFiles = new Map<string, FoundFile>();
  /** Folders that were examined only partly, by path. */
  private large: ReadonlyMap<string, ListingProblem> = new Map();
  private sorted: ReturnType<typeof withRecordings> | undefined;

  constructor(places: readonly SessionPlace[], workspaces: SessionWorkspaces) {
    this.places = places;
    this.workspaces = workspaces;
  }

  /** The files of sessions, newest first, without smaller copies. */
  get newest(): readonly FoundFile[] {
    return this.joined.files;
  }

  /** The files of sub-agents, newest first. */
  get newestOfSubAgents(): readonly FoundFile[] {
    return newestFirst(this.subAgentFiles);
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

  private get joined(): ReturnType<typeof withRecordings> {
    return (this.sorted ??= withRecordings({
      files: fullestOf(newestFirst(this.files)),
      rows: [...this.databases.values()].flatMap(({ sessions }) => sessions),
    }));
  }

  /** Databases that could not be read at the last attempt, and folders that were examined only partly. */
  get problems(): readonly ListingProblem[] {
    const ofDatabases = [...this.databases.values()].flatMap(({ problem }) => problem ?? []);
    return [...this.large.values(), ...ofDatabases];
  }

  /** Examines all places. @returns true if anything has changed @throws {CancelledError} if the signal was aborted */
  async list(signal: AbortSignal): Promise<boolean> {
    const places = await distinctPlaces(this.places);
    const large = new Map<string, ListingProblem>();
    const cut = ({ agent, folder: path }: SessionPlace) => {
      const reason = hostSentences.say('tooManyFiles', { most: mostNames.toLocaleString('en') });
      large.set(path, { agent, path, reason });
    };
    const found = await filesIn(places, ({ levels }) => [levels], signal, cut);
    const ofSubAgents = await filesIn(places, ({ subAgentLevels = [] }) => subAgentLevels, signal, cut);
    const hasRead = await this.readDatabases(places, signal);
    const [files, subAgentFiles] = [byPath(found, this.files), byPath(ofSubAgents, this.subAgentFiles)];
    const isSame = isSameList(files, this.files) && isSameList(subAgentFiles, this.subAgentFiles);
    this.files = files;
    this.subAgentFiles = subAgentFiles;
    this.large = large;
    this.sorted = undefined;
    return hasRead || !isSame;
  }

  /** Examines some paths after a change. @returns true if one of them belongs or belonged to a session */
  async lookAt(paths: Iterable<string>): Promise<boolean> {
    let isOfSession = false;
    for (const path of new Set(Array.from(paths, (one) => sessionBeside(one) ?? one))) {
      for (const place of this.places) isOfSession = (await this.lookAtOne(path, place)) || isOfSession;
    }
    if (isOfSession) this.sorted = undefined;
    return isOfSession;
  }

  private async lookAtOne(path: string, place: SessionPlace): Promise<boolean> {
    const way = relative(place.folder, path);
    const names = way.split(sep);
    if (names[0] === '..' || isAbsolute(way)) return false;
    if (place.isDatabase === true) {
      const isDatabase = fits(
        [...names.slice(0, -1), names.at(-1)?.replace(/-wal$/u, '') ?? ''],
        place.levels,
      );
      if (isDatabase) await this.readDatabases([place], never);
      return isDatabase;
    }
    const isOfSubAgent = (place.subAgentLevels ?? []).some((levels) => fits(names, levels));
    if (!isOfSubAgent && !fits(names, place.levels)) return this.lookAtFolder(path);
    const files = isOfSubAgent ? this.subAgentFiles : this.files;
    const file = await describeFile(place, names).catch(() => undefined);
    if (file === undefined) files.delete(join(place.folder, ...names));
    else files.set(file.path, since(file, files.get(file.path)));
    return true;
  }

  /** Examines an added or removed folder, because the file system reports no events for its files. */
  private async lookAtFolder(path: string): Promise<boolean> {
    const described = await lstat(path).catch(() => undefined);
    const isKnown = () =>
      [...this.files.keys(), ...this.subAgentFiles.keys()].some((file) => isInside(file, path));
    if (described === undefined ? !isKnown() : !described.isDirectory()) return false;
    await this.list(never);
    return true;
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

function fits(names: readonly string[], levels: readonly RegExp[]): boolean {
  return names.length === levels.length && names.every((name, index) => levels[index]?.test(name));
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
