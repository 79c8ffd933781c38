import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** A copy of a folder, and a folder next to it for output. Both are removed when this process ends, or earlier. */
export interface ScratchCopy {
  /** Path of the copy, which has the name of the original. */
  readonly folder: string;
  readonly dataFolder: string;
  readonly remove: () => Promise<void>;
}

export async function scratchCopy(original: string): Promise<ScratchCopy> {
  const root = await mkdtemp(join(tmpdir(), 'context-budget-'));
  const removal = { recursive: true, force: true, maxRetries: 5 };
  const removeAtExit = (): void => rmSync(root, removal);
  process.once('exit', removeAtExit);
  const folder = join(root, basename(original));
  const dataFolder = join(root, 'data');
  await mkdir(dataFolder);
  await cp(original, folder, { recursive: true });
  return {
    folder,
    dataFolder,
    remove: async () => {
      await rm(root, removal);
      process.off('exit', removeAtExit);
    },
  };
}
