import { createHash } from 'node:crypto';
import { constants, existsSync, readdirSync } from 'node:fs';
import { chmod, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { privateFolder } from '../../agent/files/private-files.ts';
import { sealed, unsealed } from '../../agent/files/sealed.ts';
import { replaceFile } from '../../agent/files/replace-file.ts';

/**
 * Creates the folder, readable only by its owner.
 * @throws errors of the file system
 */
export async function ensureFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 });
  // Node's `recursive` option never ends if parents cannot be created, as in /proc.
  await make().catch(async (error: unknown) => {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    await ensureFolder(dirname(folder));
    await make().catch((again: unknown) => {
      if ((again as NodeJS.ErrnoException).code !== 'EEXIST') throw again;
    });
  });
}

/**
 * Closes the state folder to everyone but its owner, because its scripts are run and its notes are trusted.
 * @returns false if it belongs to another user
 * @throws errors of the file system
 */
export async function isOwnFolder(folder: string): Promise<boolean> {
  const described = await stat(folder).catch(() => undefined);
  const user = process.geteuid?.() ?? 0;
  if (described?.isDirectory() !== true) return true;
  if (user !== 0 && described.uid !== user) return false;
  if ((described.mode & 0o077) !== 0) await chmod(folder, privateFolder);
  return true;
}

/** Kinds of notes. All but receipts belong to sessions, and are removed some time after the session's last call. */
export type NoteKind = 'notes' | 'pending' | 'given' | 'session' | 'receipt';

/** Returns the path of a note in `folder`. The file's name is the hash of the given name. */
export function noteFile(folder: string, name: string, kind: NoteKind): string {
  return join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.${kind}.json`);
}

/** Beginnings of notes from versions without a seal. Fact notes of those versions are created again. */
const earlier = /^\{"(?:before|transcript|wasMissing)":/u;

/** @throws errors of the file system; the note is then unchanged */
export async function writeNote(path: string, note: object): Promise<void> {
  await replaceFile(path, sealed(note), { flush: false });
}

/** Maximum bytes of a note. The largest note is a receipt with a configuration and its earlier text. */
const largestNote = 40_000_000;

/** @returns undefined if the note is missing, damaged, or not a regular file */
export async function readNote(path: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(() => undefined);
  try {
    const described = await file?.stat();
    if (described?.isFile() !== true || described.size > largestNote) return undefined;
    return unsealed((await file?.readFile('utf8')) ?? '', earlier);
  } catch {
    return undefined;
  } finally {
    await file?.close();
  }
}

/** True if a compaction of any session was announced and not yet answered. */
export function isAnyAnnounced(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.pending.json'));
}

/** True if a compaction of the session was announced and not yet answered. */
export function isAnnounced(folder: string, path: string): boolean {
  return existsSync(noteFile(folder, path, 'pending'));
}

/**
 * Records that a session is about to be compacted.
 * @param path path of the session's file
 * @param before size of the file in bytes before the compaction
 */
export async function announce(folder: string, path: string, before: number): Promise<void> {
  await writeNote(noteFile(folder, path, 'pending'), { before });
}

/**
 * Announces a compaction for an agent's call, and stores the path of the session's file. Copilot CLI sends the path
 * before a compaction, but not after a tool.
 * @param session id that the agent gave the session
 */
export async function announceCall(
  folder: string,
  { session, transcript }: { readonly session: string | undefined; readonly transcript: string },
  before: number,
): Promise<void> {
  await announce(folder, transcript, before);
  if (session !== undefined) await writeNote(noteFile(folder, session, 'session'), { transcript });
}

/** @returns the size in bytes of the session's file before the announced compaction, or undefined */
export async function announcedAt(folder: string, path: string): Promise<number | undefined> {
  if (!isAnnounced(folder, path)) return undefined;
  const before = (await readNote(noteFile(folder, path, 'pending')))?.['before'];
  // A damaged note also announces a compaction. With 0, the last compaction in the file is the announced one.
  return typeof before === 'number' && before >= 0 ? before : 0;
}

/** Removes the announcement of a compaction that was answered or never happened. */
export async function withdraw(folder: string, path: string): Promise<void> {
  await rm(noteFile(folder, path, 'pending'), { recursive: true, force: true });
}

/**
 * Claims the answer to a compaction. Hooks run concurrently and may be configured twice, but only one call
 * may return the facts.
 * @param compaction id of the compaction within the session
 * @returns false if it was claimed before
 */
export async function claimAnswer(folder: string, path: string, compaction: string): Promise<boolean> {
  try {
    await writeFile(noteFile(folder, `${path}\n${compaction}`, 'given'), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Returns the stored path of a session's file, or undefined. */
export async function notedTranscript(folder: string, session: string): Promise<string | undefined> {
  const transcript = (await readNote(noteFile(folder, session, 'session')))?.['transcript'];
  return typeof transcript === 'string' ? transcript : undefined;
}
