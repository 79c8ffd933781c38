import type { FileHandle } from 'node:fs/promises';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { largestTranscript, openTranscriptFile, fileTooLarge } from '../import/transcript-file.ts';
import { ImportError } from '../../transcripts/reading/transcript-format.ts';

/** Receives the content of a session's file, like `FollowedTranscript`. */
export interface TakenText {
  /** Takes text appended to the file, whose bytes change later. @throws {ImportError} if it exceeds the limits */
  append(added: Uint8Array | string): void;
  /** Discards all text so far, because the whole file follows. */
  reset(): void;
}

/** State of a file at the last check. It shows whether the file has only grown since. */
interface Known {
  readonly inode: bigint;
  /** Number of bytes that have been read. */
  readonly size: number;
  /** Nanoseconds since 1970. */
  readonly modifiedAt: bigint;
  /** The first bytes of the file. */
  readonly head: Buffer;
  /** The last bytes that have been read. */
  readonly tail: Buffer;
}

/** Bytes compared at each end of the known part. If they are equal, the whole part counts as unchanged. */
const comparedBytes = 1_024;
/** Bytes read at a time. */
const pieceSize = 1_048_576;

/**
 * The text of a growing file that another process writes. Reads only appended bytes and a few at both ends of the
 * known part. Reads the whole file if the ends differ, or if the file was shortened or replaced.
 */
export class AppendedText {
  private readonly path: string;
  private readonly largest: number;
  private known: Known | undefined;
  /** The file that exceeded the limits. A longer version of it is refused as well. */
  private refused: (Pick<Known, 'inode' | 'size'> & { readonly reason: ImportError }) | undefined;

  /** @param largest maximum bytes of a file */
  constructor(path: string, largest = largestTranscript) {
    this.path = path;
    this.largest = largest;
  }

  /**
   * @returns false if the file is unchanged or was deleted
   * @throws {SentenceError} if it is not a regular file or exceeds the limits
   * @throws errors of the file system, unless the file does not exist
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
    // If reading fails below, the next reading starts from the beginning.
    this.known = undefined;
    this.refused = undefined;
    if (!isAppended) into.reset();
    const buffer = Buffer.allocUnsafe(Math.min(pieceSize, size - from));
    while (read < size) {
      throwIfCancelled(signal);
      const { bytesRead } = await file.read(buffer, 0, Math.min(pieceSize, size - read), read);
      const piece = buffer.subarray(0, bytesRead);
      // The file has been shortened, which the next check detects.
      if (piece.length === 0) break;
      read += piece.length;
      this.take(piece, into, { inode, size: read });
      head = Buffer.concat([head, piece.subarray(0, comparedBytes - head.length)]);
      tail = Buffer.concat([tail, piece.subarray(-comparedBytes)]).subarray(-comparedBytes);
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

/** True if both ends of the known part are unchanged. */
async function hasEnds(file: FileHandle, { size, head, tail }: Known): Promise<boolean> {
  return (
    head.equals(await bytesAt(file, 0, head.length)) &&
    tail.equals(await bytesAt(file, size - tail.length, tail.length))
  );
}

/** Bytes of a file from a position on. Fewer than requested at the end of the file. */
export async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

function undefinedIfGone(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
  throw error;
}
