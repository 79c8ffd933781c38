import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a test a folder of its own and removes it afterwards. */
export async function inTemporaryFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'driftwood-'));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}
