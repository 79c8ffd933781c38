import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../language/is-record.ts';

/** The folder, made so that only its owner can look into it. */
export async function ensureFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** A file in `folder` about a session, by the hash of the session's path. */
export function noteFile(
  folder: string,
  path: string,
  kind: 'notes' | 'pending' | 'given' | 'receipt',
): string {
  return join(folder, `${createHash('sha256').update(path).digest('hex').slice(0, 32)}.${kind}.json`);
}

/** Writes a file that nobody else can read, in one step. */
export async function writeWhole(path: string, text: string): Promise<void> {
  const fresh = `${path}.${randomUUID()}`;
  try {
    await writeFile(fresh, text, { mode: 0o600 });
    await rename(fresh, path);
  } finally {
    await rm(fresh, { force: true });
  }
}

/** True if a compaction of the session was announced, and nothing was given back since. */
export function isPending(folder: string, path: string): boolean {
  return existsSync(noteFile(folder, path, 'pending'));
}

/** @param before bytes of the session before the compaction */
export async function setPending(folder: string, path: string, before: number): Promise<void> {
  await writeWhole(noteFile(folder, path, 'pending'), JSON.stringify({ before }));
}

/**
 * Takes the note of a compaction away. Hooks run side by side, and only one of them may give the facts back.
 *
 * @returns bytes of the session before the compaction; undefined if none was announced, or another call was first
 */
export async function claimPending(folder: string, path: string): Promise<number | undefined> {
  const marker = noteFile(folder, path, 'pending');
  const taken = `${marker}.${randomUUID()}`;
  try {
    await rename(marker, taken);
  } catch {
    return undefined;
  }
  const before = await numberIn(taken, 'before');
  await rm(taken, { force: true });
  return before ?? 0;
}

/** Notes that the compaction at the end of the session was answered. */
export async function setGiven(folder: string, path: string, size: number): Promise<void> {
  await writeWhole(noteFile(folder, path, 'given'), JSON.stringify({ size }));
}

/** @returns bytes of the session when facts were given back last */
export async function sizeWhenGiven(folder: string, path: string): Promise<number | undefined> {
  return numberIn(noteFile(folder, path, 'given'), 'size');
}

async function numberIn(path: string, field: string): Promise<number | undefined> {
  try {
    const value: unknown = JSON.parse(await readFile(path, 'utf8'));
    const number = isRecord(value) ? value[field] : undefined;
    return typeof number === 'number' && number >= 0 ? number : undefined;
  } catch {
    return undefined;
  }
}
