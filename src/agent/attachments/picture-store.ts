import { makePrivateFolder, privateFile } from '../files/private-files.ts';
import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImageType, imageTypes } from '../../compaction/images/image-header.ts';

/** Pictures that are kept; older ones give way. Those that were sent are in their sessions. */
const mostKept = 200;

/** Name of a kept picture: the beginning of the SHA-256 of its bytes. Its file has the ending of its type. */
const pictureName = /^picture-[0-9a-f]{10}$/u;

/**
 * Keeps pictures that are put into messages, so that a draft, a queued message and an edited one can name them. The
 * same picture always has the same name.
 */
export class PictureStore {
  private readonly folder: string;

  /** @param folder absolute; made with the first picture */
  constructor(folder: string) {
    this.folder = folder;
  }

  /** @returns the name of the picture */
  async keep(bytes: Uint8Array, type: ImageType): Promise<string> {
    const name = `picture-${createHash('sha256').update(bytes).digest('hex').slice(0, 10)}`;
    await makePrivateFolder(this.folder);
    // Renamed, so that nobody reads half of it; written again, so that it counts as new.
    const unfinished = join(this.folder, `${randomUUID()}.tmp`);
    await writeFile(unfinished, bytes, { mode: privateFile });
    await rename(unfinished, this.pathOf(name, type));
    await this.prune();
    return name;
  }

  /** @returns undefined if no picture of this name is kept */
  async read(name: string): Promise<Uint8Array | undefined> {
    if (!pictureName.test(name)) return undefined;
    for (const type of imageTypes) {
      const bytes = await readFile(this.pathOf(name, type)).catch(() => undefined);
      if (bytes !== undefined) return bytes;
    }
    return undefined;
  }

  /** @returns an absolute path */
  pathOf(name: string, type: ImageType): string {
    return join(this.folder, `${name}.${type.slice('image/'.length)}`);
  }

  private async prune(): Promise<void> {
    const names = await readdir(this.folder);
    if (names.length <= mostKept) return;
    const aged = await Promise.all(
      names.map(async (name) => {
        const status = await stat(join(this.folder, name)).catch(() => undefined);
        return { name, at: status?.mtimeMs ?? 0 };
      }),
    );
    const oldest = aged.toSorted((one, other) => one.at - other.at).slice(0, -mostKept);
    for (const { name } of oldest) await rm(join(this.folder, name), { force: true });
  }
}
