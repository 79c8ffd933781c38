import type { FileHandle } from 'node:fs/promises';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { largestTranscript, openTranscriptFile, fileTooLarge } from '../import/transcript-file.ts';
import { ImportError } from '../../transcripts/reading/transcript-format.ts';

/** Takes the content of a session's file, as `FollowedTranscript` does. */
export interface TakenText {
  /** Takes what was added at the end. @throws {ImportError} if it is more than is read */
  append(added: Uint8Array | string): void;
  /** Forgets what was taken before: everything that the file holds follows. */
  reset(): void;
}

/** State of a file at the last look, by which an appended file is told from another one. */
interface Known {
  readonly inode: bigint;
  /** Bytes that were read. */
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly modifiedAt: bigint;
  /** The first bytes. */
  readonly head: Buffer;
  /** The last bytes that were read. */
  readonly tail: Buffer;
}

/** Bytes at either end of what is known that are compared before the rest is taken for unchanged. */
const comparedBytes = 1_024;
/** Bytes that are read at a time. */
const pieceSize = 1_048_576;

/**
 * The text of a file that another process writes, piece by piece as it grows. Only appended bytes are read, and a few
 * at the ends of the known ones: if those differ, or the file is shorter or another one, it is read again as a whole.
 */
export class AppendedText {
  private readonly path: string;
  private readonly largest: number;
  private known: Known | undefined;
  /** The file that was too much to be read. More of it is too much, too. */
  private refused: (Pick<Known, 'inode' | 'size'> & { readonly reason: ImportError }) | undefined;

  /** @param largest bytes of a file that is read */
  constructor(path: string, largest = largestTranscript) {
    this.path = path;
    this.largest = largest;
  }

  /**
   * @param progress told the share that was read, from 0 to 1, as it grows
   * @returns false if there is nothing new: the file is as it was, or gone
   * @throws {SentenceError} if it is no file, or more than is read
   * @throws what the file system throws, if the file is there
   * @throws {CancelledError} if the signal was aborted
   */
  async read(
    into: TakenText,
    signal: AbortSignal,
    progress: (share: number) => void = () => {},
  ): Promise<boolean> {
    const file = await openTranscriptFile(this.path).catch(undefinedIfGone);
    if (file === undefined) return false;
    try {
      return await this.readFrom(file, into, signal, progress);
    } finally {
      await file.close();
    }
  }

  private async readFrom(
    file: FileHandle,
    into: TakenText,
    signal: AbortSignal,
    progress: (share: number) => void,
  ): Promise<boolean> {
    const { known, refused } = this;
    const { ino: inode, size: bytes, mtimeNs: modifiedAt } = await file.stat({ bigint: true });
    const size = Number(bytes);
    if (size > this.largest) throw fileTooLarge(size, this.largest);
    if (refused?.inode === inode && refused.size <= size) throw refused.reason;
    const isSameFile = known?.inode === inode && known.size <= size;
    if (isSameFile && known.size === size && known.modifiedAt === modifiedAt) return false;
    const isAppended = isSameFile && known.size < size && (await hasEnds(file, known));
    const from = isAppended ? known.size : 0;
    let tail = isAppended ? known.tail : Buffer.alloc(0);
    let head = isAppended ? known.head : Buffer.alloc(0);
    let read = from;
    // After a failure in between, everything is read again.
    this.known = undefined;
    this.refused = undefined;
    if (!isAppended) into.reset();
    while (read < size) {
      throwIfCancelled(signal);
      const piece = await bytesAt(file, read, Math.min(pieceSize, size - read));
      // It was made shorter meanwhile, of which the next look tells.
      if (piece.length === 0) break;
      read += piece.length;
      this.take(piece, into, { inode, size: read });
      if (head.length < comparedBytes) head = Buffer.concat([head, piece]).subarray(0, comparedBytes);
      tail = Buffer.from(Buffer.concat([tail, piece.subarray(-comparedBytes)]).subarray(-comparedBytes));
      progress(read / size);
    }
    this.known = { inode, size: read, modifiedAt, head, tail };
    return true;
  }

  private take(piece: Buffer, into: TakenText, place: Pick<Known, 'inode' | 'size'>): void {
    try {
      into.append(piece);
    } catch (error) {
      if (error instanceof ImportError) this.refused = { ...place, reason: error };
      into.reset();
      throw error;
    }
  }
}

/** True if both ends of what is known are as they were. */
async function hasEnds(file: FileHandle, { size, head, tail }: Known): Promise<boolean> {
  return (
    head.equals(await bytesAt(file, 0, head.length)) &&
    tail.equals(await bytesAt(file, size - tail.length, tail.length))
  );
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function undefinedIfGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw error;
}
