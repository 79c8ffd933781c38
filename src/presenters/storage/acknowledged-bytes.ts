import type { FileHandle } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { nodeSlices } from '../../agent/node-slices.ts';

const lineFeed = 0x0a;
/** Number of bytes that are read or hashed at once. This takes a tenth of a millisecond. */
const chunk = 1 << 18;
/** Maximum bytes that other programs may append without changing the session. */
const largestRest = 1 << 20;
/** Ends a line so that the line is never read as an event, even if it begins like an event. */
const voidEnd = Buffer.from('#\n');

/** Result of comparing a file with the acknowledged bytes: equal, continued by another program, or different. */
type Comparison = 'same' | 'continued' | 'changed';

/** The acknowledged beginning of a file, known by its length and checksum. */
export class AcknowledgedBytes {
  private size = 0;
  private checksum = 0;
  private ends = true;
  /** Bytes whose write failed. The file may still contain a part of them. */
  private refused: Buffer = Buffer.alloc(0);

  /** @param bytes the whole file as it was read */
  static async of(bytes: Buffer): Promise<AcknowledgedBytes> {
    const acknowledged = new AcknowledgedBytes();
    await acknowledged.reset(bytes);
    return acknowledged;
  }

  get length(): number {
    return this.size;
  }

  /** False if a crash cut off the last line. */
  get endsLine(): boolean {
    return this.ends;
  }

  add(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.size += bytes.length;
    this.checksum = crc32(bytes, this.checksum);
    this.ends = bytes.at(-1) === lineFeed;
    this.refused = Buffer.alloc(0);
  }

  /** Starts again with a file that contains only these bytes. */
  async reset(bytes: Buffer): Promise<void> {
    this.size = 0;
    this.checksum = 0;
    const slices = nodeSlices();
    for (let at = 0; at < bytes.length; at += chunk) {
      this.add(bytes.subarray(at, at + chunk));
      if (slices.isOver) await slices.next();
    }
  }

  refuse(bytes: Buffer): void {
    this.refused = bytes;
  }

  /** Removes the rest of a failed write, or ends the line if the rest cannot be removed. */
  async repair(handle: FileHandle): Promise<Comparison> {
    const { size } = await handle.stat();
    if (size < this.size || !(await this.isBeginningOf(handle))) return 'changed';
    if (size === this.size) return 'same';
    if (size - this.size > Math.max(this.refused.length, largestRest)) return 'continued';
    const rest = Buffer.alloc(size - this.size);
    await handle.read(rest, 0, rest.length, this.size);
    if (rest.equals(this.refused.subarray(0, rest.length))) {
      await this.takeBack(handle, rest);
      return 'same';
    }
    // A window of an earlier version may have given the session a title.
    const { readSession } = await import('../../transcripts/session/session-format.ts');
    const { entries, problems } = readSession(rest.toString('utf8'));
    const isWhole = this.ends && rest.at(-1) === lineFeed;
    if (!isWhole || entries.length > 0 || problems.length > 0) return 'continued';
    this.add(rest);
    return 'same';
  }

  private async takeBack(handle: FileHandle, rest: Buffer): Promise<void> {
    try {
      await handle.truncate(this.size);
    } catch {
      await handle.appendFile(voidEnd);
      this.add(Buffer.concat([rest, voidEnd]));
    }
  }

  private async isBeginningOf(handle: FileHandle): Promise<boolean> {
    const buffer = Buffer.alloc(Math.min(chunk, this.size));
    let checksum = 0;
    for (let at = 0; at < this.size;) {
      const { bytesRead } = await handle.read(buffer, 0, Math.min(chunk, this.size - at), at);
      if (bytesRead === 0) return false;
      checksum = crc32(buffer.subarray(0, bytesRead), checksum);
      at += bytesRead;
    }
    return checksum === this.checksum;
  }
}
