import { execFile } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Number of files and folders of the file system, small so that it can run out of them. */
const mostFiles = 400;

/** A small separate file system, which can be full. */
export class SmallDisk implements AsyncDisposable {
  /** Folder that it is mounted at. */
  readonly path: string;
  private readonly ballast: string;

  private constructor(path: string) {
    this.path = path;
    this.ballast = join(path, 'ballast');
  }

  /**
   * @param path to create
   * @param bytes size of the file system
   * @returns undefined if none can be mounted
   */
  static async mount(path: string, bytes: number): Promise<SmallDisk | undefined> {
    await mkdir(path);
    try {
      await run('mount', ['-t', 'tmpfs', '-o', `size=${bytes},nr_inodes=${mostFiles}`, 'tmpfs', path]);
      return new SmallDisk(path);
    } catch {
      return undefined;
    }
  }

  /** @param left bytes that others can still write, rounded down to whole blocks */
  async fill(left: number): Promise<void> {
    await this.empty();
    const { bavail, bsize } = await statfs(this.path);
    const blocks = bavail - Math.floor(left / bsize);
    if (blocks > 0) await writeFile(join(this.ballast, 'blocks'), Buffer.alloc(blocks * bsize));
  }

  /** @param left files that others can still make: the disk has blocks, but no room for names */
  async fillNames(left: number): Promise<void> {
    await this.empty();
    const { ffree } = await statfs(this.path);
    for (let file = 0; file < ffree - left; file++) await writeFile(join(this.ballast, String(file)), '');
  }

  async empty(): Promise<void> {
    await rm(this.ballast, { recursive: true, force: true });
    await mkdir(this.ballast);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await run('umount', ['-l', this.path]);
  }
}
