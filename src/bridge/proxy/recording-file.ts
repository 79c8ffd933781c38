import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder, privateFile } from '../../agent/files/private-files.ts';
import type { SessionEvent } from '../../transcripts/session/session-event.ts';

/** Maximum bytes of a recording. A client that sends more than any session holds fills no disk. */
const longestRecording = 512_000_000;

/** The file of a recorded conversation. Only this process writes it, and only at its end. */
export class RecordingFile {
  readonly path: string;
  private handle: FileHandle | undefined;
  private length = 0;

  constructor(path: string) {
    this.path = path;
  }

  /**
   * Appends a line for each event. The first call creates the file and its folder, for the owner only.
   *
   * @returns false if the recording is too long to go on
   * @throws errors of the file system, for example if the disk is full
   */
  async append(events: readonly SessionEvent[]): Promise<boolean> {
    if (events.length === 0) return true;
    const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    if (this.length + bytes.length > longestRecording) return false;
    if (this.handle === undefined) {
      await makePrivateFolder(dirname(this.path));
      this.handle = await open(this.path, 'ax', privateFile);
    }
    await this.handle.appendFile(bytes);
    this.length += bytes.length;
    return true;
  }

  async close(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    await handle?.close();
  }
}
