import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makePrivateFolder, privateFile } from '../../agent/files/private-files.ts';
import type { SessionEvent, SessionHeader } from '../../transcripts/session/session-event.ts';

/** The file of a recorded conversation. Only this process writes it, and only at its end. */
export class RecordingFile {
  readonly path: string;
  private readonly header: SessionHeader;
  private handle: FileHandle | undefined;

  constructor(path: string, header: SessionHeader) {
    this.path = path;
    this.header = header;
  }

  /**
   * Appends a line for an event. The first call creates the file and its folder, for the owner only.
   *
   * @throws errors of the file system, for example if the disk is full
   */
  async append(event: SessionEvent): Promise<void> {
    const isNew = this.handle === undefined;
    if (isNew) await makePrivateFolder(dirname(this.path));
    this.handle ??= await open(this.path, 'a', privateFile);
    const events = isNew ? [this.header, event] : [event];
    await this.handle.appendFile(events.map((one) => `${JSON.stringify(one)}\n`).join(''));
  }

  async close(): Promise<void> {
    const { handle } = this;
    this.handle = undefined;
    await handle?.close();
  }
}
