import { open, readFile, rm } from 'node:fs/promises';

/** Somebody else is writing. */
export class LockedError extends Error {
  override readonly name = 'LockedError';
}

/**
 * Takes the lock of a log: a file beside it that holds the id of this process. A lock whose process is gone was left
 * by a crash and is taken over.
 *
 * @returns gives the lock back
 * @throws LockedError while another process holds it
 */
export async function takeLock(path: string): Promise<() => Promise<void>> {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (await create(path)) return () => rm(path, { force: true });
    const holder = Number(await readFile(path, 'utf8').catch(() => ''));
    if (isAlive(holder))
      throw new LockedError(`Process ${holder} is writing to these notes; try again later.`);
    await rm(path, { force: true });
  }
  throw new LockedError('Another process took the lock first; try again later.');
}

/** `wx` makes the operating system decide who was first. */
async function create(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx');
    try {
      await file.writeFile(String(process.pid));
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function isAlive(processId: number): boolean {
  if (!Number.isInteger(processId) || processId <= 0) return false;
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
