import { open } from 'node:fs/promises';
import { watchPath } from '../../agent/locks/shared-file.ts';
import type { SessionEvent } from '../../transcripts/session/session-event.ts';

interface FollowListener {
  readonly appended: (event: SessionEvent) => void;
  /** Called when the file was replaced. Earlier lines are then invalid. */
  readonly replaced: () => void;
}

const lineFeed = 0x0a;

/** Follows a session's file while another process writes it. Reads only appended lines. */
export class SessionFollower {
  private readonly path: string;
  private readonly inode: bigint;
  private readonly listener: FollowListener;
  private readonly unwatch: () => void;
  private offset: number;
  private reading: Promise<void> = Promise.resolve();
  private hasEnded = false;

  /** @param start number of known bytes, up to the end of a line @param inode of the file from which they were read */
  constructor(path: string, start: number, inode: bigint, listener: FollowListener) {
    this.path = path;
    this.offset = start;
    this.inode = inode;
    this.listener = listener;
    this.unwatch = watchPath(path, () => void this.read());
    void this.read();
  }

  /** Resolves when the current content of the file has been reported. */
  read(): Promise<void> {
    // A file that cannot be read is checked again after its next change.
    this.reading = this.reading.then(() => this.readNew()).catch(() => {});
    return this.reading;
  }

  dispose(): void {
    this.hasEnded = true;
    this.unwatch();
  }

  private async readNew(): Promise<void> {
    if (this.hasEnded) return;
    await using file = await open(this.path);
    const { size, ino } = await file.stat({ bigint: true });
    if (ino !== this.inode || Number(size) < this.offset) {
      this.dispose();
      this.listener.replaced();
      return;
    }
    if (Number(size) === this.offset) return;
    const bytes = Buffer.alloc(Number(size) - this.offset);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, this.offset);
    // The text after the last line feed is incomplete.
    const end = bytes.subarray(0, bytesRead).lastIndexOf(lineFeed) + 1;
    this.offset += end;
    const { readEvent } = await import('../../transcripts/session/session-line.ts');
    for (const line of bytes.toString('utf8', 0, end).split('\n')) {
      if (line === '') continue;
      const read = readEvent(line, new Date().toISOString());
      if (typeof read !== 'string') this.listener.appended(read.event);
    }
  }
}
