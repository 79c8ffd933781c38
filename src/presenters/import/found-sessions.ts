import { createHash } from 'node:crypto';
import { lstat, open, readdir } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { parentSessionId, sessionHead } from '../../transcripts/session-head.ts';
import { agentTitles } from '../../language/strategy-titles-english.ts';
import type { FoundAgent, SessionPlace } from '../../transcripts/session-places.ts';
import { titleOf } from '../../transcripts/typed-title.ts';

/** A session of another agent on this computer. Only the beginning of its file was read. */
export interface FoundSession {
  readonly agent: FoundAgent;
  readonly path: string;
  /** Undefined if the file begins with nothing that could be one. */
  readonly title: string | undefined;
  /** The folder that the agent worked in, if the file says so. */
  readonly workspace: string | undefined;
  /** It is about a folder that is open now. */
  readonly isOfWorkspace: boolean;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
  /** Bytes. */
  readonly size: number;
  /** Of a sub-agent: the file of the session that started it. */
  readonly parent?: string;
}

interface FoundFile {
  readonly place: SessionPlace;
  readonly path: string;
  /** Folders below that of the place, and the name. */
  readonly names: readonly string[];
  readonly changedAt: number;
  readonly size: number;
}

/** Sessions that are listed at most: more than anybody scrolls through. */
const mostSessions = 500;
/** Bytes of a file that are read for the list. */
export const headSize = 65_536;
/** Files that are asked for at the same time. */
const atOnce = 32;
/** The file in which Gemini CLI notes what project its folder is about, and the bytes of it that are read. */
const projectFile = { name: '.project_root', size: 4_096 } as const;

/**
 * Lists the newest sessions, those of the open folders first, then by time, each followed by its sub-agents. Links
 * are not followed; what cannot be read is left out, and so are empty files and sub-agents of sessions that are not
 * listed.
 *
 * @param folders that are open, absolute
 * @throws {CancelledError} if the signal was aborted
 */
export async function findSessions(
  places: readonly SessionPlace[],
  folders: readonly string[],
  signal: AbortSignal,
): Promise<readonly FoundSession[]> {
  const newest = await newestFiles(places, ({ levels }) => [levels], signal);
  const ofSubAgents = await newestFiles(places, ({ subAgentLevels = [] }) => subAgentLevels, signal);
  const foldersByHash = new Map(folders.map((folder) => [hashOf(folder), folder]));
  const sessions = await inGroups(newest, signal, (file) => readSession(file, folders, foldersByHash));
  const subAgents = await inGroups(ofSubAgents, signal, async (file) => ({
    ...(await readSession(file, folders, foldersByHash)),
    parent: await parentOf(file),
  }));
  return sessions
    .toSorted((one, other) => Number(other.isOfWorkspace) - Number(one.isOfWorkspace))
    .flatMap((session) => [session, ...subAgents.filter(({ parent }) => parent === session.path)]);
}

/**
 * True if there is a session in one of the places. Reads the names of files alone.
 *
 * @throws {CancelledError} if the signal was aborted
 */
export async function hasSessions(places: readonly SessionPlace[], signal: AbortSignal): Promise<boolean> {
  for (const { folder, levels } of places) {
    if ((await namesBelow(folder, levels, signal)).length > 0) return true;
  }
  return false;
}

async function newestFiles(
  places: readonly SessionPlace[],
  levelsOf: (place: SessionPlace) => readonly (readonly RegExp[])[],
  signal: AbortSignal,
): Promise<readonly FoundFile[]> {
  const found: FoundFile[] = [];
  for (const place of places) {
    for (const levels of levelsOf(place)) {
      const paths = await namesBelow(place.folder, levels, signal);
      found.push(...(await inGroups(paths, signal, (names) => describe(place, names))));
    }
  }
  return found.toSorted((one, other) => other.changedAt - one.changedAt).slice(0, mostSessions);
}

/** A sub-agent's file names its session, or is in a folder of its name; the session's is next to that folder. */
async function parentOf({ place, path, names }: FoundFile): Promise<string> {
  const [project = '', folder = ''] = names;
  const isInFolder = basename(dirname(path)) === 'subagents';
  const id = isInFolder ? folder : (parentSessionId(await beginningOf(path, headSize)) ?? '');
  return join(place.folder, project, `${basename(id)}.jsonl`);
}

/** Names on the way to each file, from the folder on. Links are neither folders nor files to the directory. */
async function namesBelow(
  folder: string,
  [level, ...deeper]: readonly RegExp[],
  signal: AbortSignal,
): Promise<readonly (readonly string[])[]> {
  throwIfCancelled(signal);
  if (level === undefined) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const fitting = entries.filter(({ name }) => level.test(name));
  if (deeper.length === 0) return fitting.filter((entry) => entry.isFile()).map(({ name }) => [name]);
  const found: (readonly string[])[] = [];
  for (const entry of fitting.filter((one) => one.isDirectory())) {
    const below = await namesBelow(join(folder, entry.name), deeper, signal);
    for (const names of below) found.push([entry.name, ...names]);
  }
  return found;
}

async function describe(place: SessionPlace, names: readonly string[]): Promise<FoundFile | undefined> {
  const path = join(place.folder, ...names);
  const { mtimeMs, size } = await lstat(path);
  return size === 0 ? undefined : { place, path, names, changedAt: mtimeMs, size };
}

async function readSession(
  { place, path, names, changedAt, size }: FoundFile,
  folders: readonly string[],
  foldersByHash: ReadonlyMap<string, string>,
): Promise<FoundSession> {
  const { agent } = place;
  const head = sessionHead(agent, await beginningOf(path, headSize));
  const [project = ''] = names;
  const workspace =
    head.workspace ??
    (agent === 'gemini-cli' ? await projectOf(join(place.folder, project)) : undefined) ??
    foldersByHash.get(head.workspaceHash ?? project);
  return {
    agent,
    path,
    title: head.title === undefined ? undefined : titleOf(head.title),
    workspace,
    isOfWorkspace: workspace !== undefined && folders.some((folder) => isWithin(workspace, folder)),
    changedAt,
    size,
  };
}

/** @returns nothing if the folder does not say what it is about */
async function projectOf(folder: string): Promise<string | undefined> {
  const path = join(folder, projectFile.name);
  try {
    if (!(await lstat(path)).isFile()) return undefined;
    const text = (await beginningOf(path, projectFile.size)).trim();
    return text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

/** @returns the text of the first bytes, without a character that is cut in two */
export async function beginningOf(path: string, size: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(size), position: 0 });
    return new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
  } finally {
    await file.close();
  }
}

/** Does the same to many files, some at a time; those that fail are left out. */
async function inGroups<Item, Result>(
  items: readonly Item[],
  signal: AbortSignal,
  work: (item: Item) => Promise<Result | undefined>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let start = 0; start < items.length; start += atOnce) {
    throwIfCancelled(signal);
    const group = items.slice(start, start + atOnce).map((item) => work(item).catch(() => undefined));
    for (const result of await Promise.all(group)) if (result !== undefined) results.push(result);
  }
  return results;
}

function hashOf(folder: string): string {
  return createHash('sha256').update(folder).digest('hex');
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!/^\.\.(?:[/\\]|$)/.test(way) && !isAbsolute(way));
}

/** A session as a line of a list. */
export interface SessionLine {
  readonly label: string;
  /** Age and size. */
  readonly description: string;
  /** The folder it was held in, or its file if the folder is unknown. */
  readonly detail: string;
  readonly session: FoundSession;
}

/** The sessions of an agent, in the order of the list that they come from. */
export interface SessionGroup {
  readonly title: string;
  readonly lines: readonly SessionLine[];
}

/** Prefix of a sub-agent's line, below the session that started it. */
const subAgentMark = '↳ ';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Groups sessions by agent; the agent of the first session comes first.
 *
 * @param now milliseconds since 1970
 * @param language BCP 47, for ages and sizes
 */
export function sessionGroups(
  sessions: readonly FoundSession[],
  now: number,
  language: string,
): readonly SessionGroup[] {
  const lineOf = (session: FoundSession): SessionLine => ({
    label: `${session.parent === undefined ? '' : subAgentMark}${session.title ?? basename(session.path)}`,
    description: `${ageOf(now - session.changedAt, language)}, ${sizeOf(session.size, language)}`,
    detail: session.workspace ?? session.path,
    session,
  });
  return [...new Set(sessions.map(({ agent }) => agent))].map((agent) => ({
    title: agentTitles[agent],
    lines: sessions.filter((session) => session.agent === agent).map(lineOf),
  }));
}

function ageOf(milliseconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const age = Math.max(0, milliseconds);
  if (age < hour) return format.format(-Math.floor(age / minute), 'minute');
  if (age < day) return format.format(-Math.floor(age / hour), 'hour');
  return format.format(-Math.floor(age / day), 'day');
}

function sizeOf(bytes: number, language: string): string {
  const isLarge = bytes >= 1_000_000;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(isLarge ? bytes / 1_000_000 : Math.max(1, bytes / 1_000));
}
