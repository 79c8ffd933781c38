import { randomBytes } from 'node:crypto';

/** Bytes of the token in the address of a server. */
const tokenBytes = 16;

/** Returns a token for the address of a server, which no other program can guess. */
export function newToken(): string {
  return randomBytes(tokenBytes).toString('hex');
}

/** Resolves when the user interrupts the program, or its parent closes its standard input. */
export async function ended(signal: AbortSignal, withParent: boolean): Promise<void> {
  const parent = withParent ? [new Promise((resolve) => process.stdin.resume().once('close', resolve))] : [];
  const interrupted = new Promise((resolve) => {
    if (signal.aborted) resolve(undefined);
    signal.addEventListener('abort', resolve, { once: true });
  });
  await Promise.race([interrupted, ...parent]);
}
