import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { cacheFolder } from './host-cache.ts';

/** Something that is installed once per user. */
export interface Installation {
  /** Folder name in the cache. */
  readonly name: string;
  /** A file in it that exists once it is complete. */
  readonly marker: string;
  /** Fills a new folder. @returns the folder to keep: that one, or one inside it */
  readonly build: (building: string) => Promise<string>;
}

/**
 * Makes sure that something is installed in the cache folder. It is built next to its final place and renamed when
 * complete: an install that was interrupted is never used.
 *
 * @returns the folder
 */
export async function installOnce({ name, marker, build }: Installation): Promise<string> {
  const folder = join(cacheFolder(), name);
  if (existsSync(join(folder, marker))) return folder;
  await mkdir(dirname(folder), { recursive: true });
  const building = await mkdtemp(`${folder}.partial-`);
  try {
    await rename(await build(building), folder).catch((error: unknown) => {
      if (!existsSync(join(folder, marker))) throw error;
    });
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  return folder;
}
