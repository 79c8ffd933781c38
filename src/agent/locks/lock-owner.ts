import { randomBytes } from 'node:crypto';
import { readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { readIfThere } from './replace-file.ts';

/** Who writes a session. */
export interface LockOwner {
  /** Tells one owner from another, also in one process. */
  readonly token: string;
  readonly process: number;
  readonly host: string;
  /** What the window is called that has the session open; empty where it has no name. */
  readonly window: string;
  /** Since when; ISO 8601. */
  readonly since: string;
}

export function newOwner(window: string): LockOwner {
  return {
    token: randomBytes(12).toString('hex'),
    process: process.pid,
    host: machine(),
    window,
    since: new Date().toISOString(),
  };
}

/** The owner that a file names; undefined where there is none, or nothing that can be read. */
export async function readOwner(path: string): Promise<LockOwner | undefined> {
  try {
    const value: unknown = JSON.parse((await readIfThere(path)) ?? '');
    return isOwner(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True where it is certain that the owner's process has ended. */
export function isGone(owner: LockOwner): boolean {
  if (owner.host !== machine()) return false;
  try {
    process.kill(owner.process, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** Where a process number means the same: containers on one machine have numbers of their own. */
function machine(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function isOwner(value: unknown): value is LockOwner {
  if (typeof value !== 'object' || value === null) return false;
  const { token, process: number, host, window, since } = value as Readonly<Record<string, unknown>>;
  return typeof number === 'number' && [token, host, window, since].every((text) => typeof text === 'string');
}
