import { setImmediate } from 'node:timers/promises';

/** Lets other work of the extension host have its turn. */
export const pause = (): Promise<void> => setImmediate();
