import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { randomBytes } from 'node:crypto';
import { makePrivateFolder, privateFile } from '../../agent/files/private-files.ts';

/** Returns a name for a recording that begins now, without an extension. It sorts by time. */
export function recordingName(createdAt: Date): string {
  const time = createdAt.toISOString().slice(0, 19);
  return `${time.replace(/[:T]/g, '-')}-${randomBytes(4).toString('hex')}`;
}

/** The file of a recorded conversation. Only this process writes it, and only at its end. */
export class RecordingFile {
  readonly path: string;
  private readonly header: object | undefined;
  private handle: FileHandle | undefined;

  /** @param header the first line of a new file */
  constructor(path: string, header?: object) {
    this.path = path;
    this.header = header;
  }

  /** Appends a line, like `appendLines`. */
  append(value: object): Promise<void> {
    return this.appendLines([JSON.stringify(value)]);
  }

  /**
   * Appends lines of JSON. The first call creates the file and its folder, for the owner only.
   *
   * @throws errors of the file system, for example if the disk is full
   */
  async appendLines(added: readonly string[]): Promise<void> {
    const isNew = this.handle === undefined;
    if (isNew) await makePrivateFolder(dirname(this.path));
    this.handle ??= await open(this.path, 'a', privateFile);
    const lines = isNew && this.header !== undefined ? [JSON.stringify(this.header), ...added] : added;
    await this.handle.appendFile(lines.map((line) => `${line}\n`).join(''));
  }

  async close(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    await handle?.close();
  }
}
