import { createHash } from 'node:crypto';
import { constants, existsSync } from 'node:fs';
import { chmod, mkdir, open, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { privateFolder } from '../../agent/files/private-files.ts';
import { sealed, unsealed } from '../../agent/files/sealed.ts';
import { replaceFile } from '../../agent/files/replace-file.ts';

/**
 * The folder, made so that only its owner can look into it.
 *
 * @throws what the file system throws
 */
export async function ensureFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 });
  // Node's own `recursive` never ends where parents cannot be made, as below /proc.
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
 * Closes the state folder to everyone but its owner: its scripts are run, and its notes are believed.
 *
 * @returns false if it belongs to another user
 * @throws what the file system throws
 */
export async function isOwnFolder(folder: string): Promise<boolean> {
  const described = await stat(folder).catch(() => undefined);
  const user = process.geteuid?.() ?? 0;
  if (described?.isDirectory() !== true) return true;
  if (user !== 0 && described.uid !== user) return false;
  if ((described.mode & 0o077) !== 0) await chmod(folder, privateFolder);
  return true;
}

/** Kinds of notes. All but receipts are about sessions, and removed some time after the last call about one. */
export type NoteKind = 'notes' | 'pending' | 'given' | 'session' | 'receipt';

/** A file in `folder` about something, by the hash of its name. */
export function noteFile(folder: string, name: string, kind: NoteKind): string {
  return join(folder, `${createHash('sha256').update(name).digest('hex').slice(0, 32)}.${kind}.json`);
}

/** Beginnings of notes of earlier versions, which had no seal. Notes of facts are rather made again. */
const earlier = /^\{"(?:before|transcript|wasMissing)":/u;

/** @throws what the file system throws; then the note is as it was */
export async function writeNote(path: string, note: object): Promise<void> {
  await replaceFile(path, sealed(note), { flush: false });
}

/** Bytes of the largest note that is read: a receipt holds at most a configuration and what it was before. */
const largestNote = 40_000_000;

/** @returns undefined if the note is not there, damaged, or no plain file */
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

/** True if a compaction of the session was announced that nothing was given back after yet. */
export function isAnnounced(folder: string, path: string): boolean {
  return existsSync(noteFile(folder, path, 'pending'));
}

/**
 * Notes that a session is about to be compacted.
 *
 * @param path of the session's file
 * @param before bytes of it before the compaction
 */
export async function announce(folder: string, path: string, before: number): Promise<void> {
  await writeNote(noteFile(folder, path, 'pending'), { before });
}

/** @returns bytes of the session before the compaction that was announced; undefined if none was */
export async function announcedAt(folder: string, path: string): Promise<number | undefined> {
  if (!isAnnounced(folder, path)) return undefined;
  const before = (await readNote(noteFile(folder, path, 'pending')))?.['before'];
  // A note that is damaged announces all the same: the last compaction of the session is meant.
  return typeof before === 'number' && before >= 0 ? before : 0;
}

/** The compaction that was announced is answered, or never came. */
export async function withdraw(folder: string, path: string): Promise<void> {
  await rm(noteFile(folder, path, 'pending'), { recursive: true, force: true });
}

/**
 * Claims the answer to a compaction: hooks run side by side, and are configured twice, but only one of them may give
 * the facts back.
 *
 * @param compaction names it among those of the session
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

/** Notes the file of a session. Copilot CLI names it before a compaction, but not after a tool. */
export async function noteTranscript(folder: string, session: string, path: string): Promise<void> {
  await writeNote(noteFile(folder, session, 'session'), { transcript: path });
}

/** @returns undefined if none was noted */
export async function notedTranscript(folder: string, session: string): Promise<string | undefined> {
  const transcript = (await readNote(noteFile(folder, session, 'session')))?.['transcript'];
  return typeof transcript === 'string' ? transcript : undefined;
}
