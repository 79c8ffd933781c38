import { makePrivateFolder } from '../files/private-files.ts';
import { replaceFile } from '../files/replace-file.ts';
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type ImageType, imageTypes } from '../../compaction/images/image-header.ts';

/** Maximum number of stored pictures. Older pictures are removed, because sessions contain all sent pictures. */
const mostKept = 200;

/** Milliseconds by which the clock of a file system may be ahead. */
const clocksDiffer = 60_000;

/** Name of a stored picture: the beginning of the SHA-256 of its bytes. */
const pictureName = /^picture-[0-9a-f]{10}$/u;

/** Stores the pictures of messages, so that drafts and queued or edited messages can name them. */
export class PictureStore {
  private readonly folder: string;

  /** @param folder absolute path of the folder, which is created with the first picture */
  constructor(folder: string) {
    this.folder = folder;
  }

  async keep(bytes: Uint8Array, type: ImageType): Promise<string> {
    const name = nameOf(bytes);
    await makePrivateFolder(this.folder);
    // An existing picture is written again so that it counts as the newest.
    await replaceFile(this.pathOf(name, type), bytes);
    await this.prune();
    return name;
  }

  /** @returns undefined if no picture has this name, or the picture is damaged */
  async read(name: string): Promise<Uint8Array | undefined> {
    if (!pictureName.test(name)) return undefined;
    for (const type of imageTypes) {
      const bytes = await readFile(this.pathOf(name, type)).catch(() => undefined);
      if (bytes !== undefined && nameOf(bytes) === name) return bytes;
    }
    return undefined;
  }

  pathOf(name: string, type: ImageType): string {
    return join(this.folder, `${name}.${type.slice('image/'.length)}`);
  }

  private async prune(): Promise<void> {
    const names = await readdir(this.folder);
    if (names.length <= mostKept) return;
    const aged = await Promise.all(
      names.map(async (name) => {
        const status = await stat(join(this.folder, name)).catch(() => undefined);
        const at = status?.mtimeMs ?? 0;
        // A file with a future time was stored before the clock was set back, so it counts as the oldest.
        return { name, at: at > Date.now() + clocksDiffer ? 0 : at };
      }),
    );
    const oldest = aged.toSorted((one, other) => one.at - other.at).slice(0, -mostKept);
    for (const { name } of oldest) await rm(join(this.folder, name), { recursive: true, force: true });
  }
}

function nameOf(bytes: Uint8Array): string {
  return `picture-${createHash('sha256').update(bytes).digest('hex').slice(0, 10)}`;
}
