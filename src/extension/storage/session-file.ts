import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SessionEvent, SessionHeader } from '../../transcripts/session-event.ts';

const lineFeed = 0x0a;

/** A session's file, open for appending. Nothing that is in it is ever written over. */
export class SessionFile {
  private readonly path: string;
  private readonly header: SessionHeader | undefined;
  private handle: Promise<FileHandle> | undefined;

  /** @param header the first line of a new file */
  constructor(path: string, header?: SessionHeader) {
    this.path = path;
    this.header = header;
  }

  /**
   * Appends one line. Resolves when the operating system has it, so that it outlives this process.
   *
   * @throws what the file system throws, for example when the disk is full
   */
  async append(event: SessionEvent): Promise<void> {
    this.handle ??= openForAppending(this.path, this.header);
    const handle = await this.handle;
    await handle.appendFile(`${JSON.stringify(event)}\n`);
  }

  async close(): Promise<void> {
    const handle = await this.handle?.catch(() => undefined);
    this.handle = undefined;
    await handle?.close();
  }
}

/** A line that a crash cut off is ended first, so that the next one does not become part of it. */
async function openForAppending(path: string, header: SessionHeader | undefined): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true });
  const handle = await open(path, 'a+');
  const { size } = await handle.stat();
  if (size === 0) {
    if (header !== undefined) await handle.appendFile(`${JSON.stringify(header)}\n`);
    return handle;
  }
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, size - 1);
  if (buffer[0] !== lineFeed) await handle.appendFile('\n');
  return handle;
}
