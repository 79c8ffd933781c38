import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomBytes } from 'node:crypto';
import { makePrivateFolder, privateFile } from '../../agent/files/private-files.ts';
import type { SessionLock } from '../../agent/locks/session-lock.ts';

/** Returns a name for a recording that begins now, without an extension. It sorts by time. */
export function recordingName(createdAt: Date): string {
  const time = createdAt.toISOString().slice(0, 19);
  return `${time.replace(/[:T]/g, '-')}-${randomBytes(4).toString('hex')}`;
}

interface RecordingOptions {
  /** Text before the first appended line: the header of a new file, or the end of a line that was cut off. */
  readonly before?: string;
  /** Right to write a file that other programs may open, too. Taken with the first line. */
  readonly lock?: SessionLock;
}

/** The file of a recorded conversation. Only this process writes it, and only at its end. */
export class RecordingFile {
  readonly path: string;
  private readonly lock: SessionLock | undefined;
  private before: string;
  private handle: FileHandle | undefined;
  private isClosed = false;
  private last: Promise<void> = Promise.resolve();

  constructor(path: string, { before = '', lock }: RecordingOptions = {}) {
    this.path = path;
    this.before = before;
    this.lock = lock;
  }

  /** Appends a line, like `appendLines`. */
  append(value: object): Promise<void> {
    return this.appendLines([JSON.stringify(value)]);
  }

  /**
   * Appends lines of JSON. The first call creates the file and its folder, for the owner only.
   *
   * @throws {HeldElsewhereError} if another program writes the file
   * @throws errors of the file system, for example if the disk is full
   */
  appendLines(added: readonly string[]): Promise<void> {
    const appended = this.last.then(() => this.appendNow(added));
    this.last = appended.catch(() => {});
    return appended;
  }

  /** Closes the file after pending lines, and releases its lock. */
  async close(): Promise<void> {
    this.isClosed = true;
    await this.last;
    await this.letGo();
  }

  private async appendNow(added: readonly string[]): Promise<void> {
    try {
      if (this.lock?.isHeld === false) await this.lock.hold();
      if (this.handle === undefined) await makePrivateFolder(dirname(this.path));
      this.handle ??= await open(this.path, 'a', privateFile);
      await this.handle.appendFile(this.before + added.map((line) => `${line}\n`).join(''));
      this.before = '';
    } catch (error) {
      // A part of the lines may have been written.
      if (this.handle !== undefined && !this.before.startsWith('\n')) this.before = `\n${this.before}`;
      throw error;
    } finally {
      // The end of an exchange can be noted late.
      if (this.isClosed) await this.letGo();
    }
  }

  private async letGo(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    await handle?.close();
    await this.lock?.release();
  }
}
