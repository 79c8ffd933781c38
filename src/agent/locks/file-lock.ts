import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Milliseconds without a sign of life after which a lock is another's to take. */
export const staleAfter = 10_000;
const heartbeat = 2_000;

/** How long a short lock of another process is waited for: about three seconds. */
const patience = { retries: 40, minTimeout: 10, maxTimeout: 100 };

/**
 * Takes a lock that all processes on the file system see: a folder beside the file, touched as long as its owner lives.
 *
 * @param lost hears that the lock is another's now, for example after this process slept for too long
 * @param waits whether another owner is waited for
 * @returns what gives the lock back, or undefined where another has it
 * @throws what the file system throws, for example where nothing can be written
 */
export async function lockFile(
  path: string,
  lost: () => void,
  waits = false,
): Promise<(() => Promise<void>) | undefined> {
  await mkdir(dirname(path), { recursive: true });
  const { default: lockfile } = await import('proper-lockfile');
  try {
    return await lockfile.lock(path, {
      realpath: false,
      stale: staleAfter,
      update: heartbeat,
      onCompromised: lost,
      ...(waits ? { retries: patience } : {}),
    });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOCKED') return undefined;
    throw error;
  }
}
