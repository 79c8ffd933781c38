import { type FileHandle, open } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { largestTranscript, tooLarge } from '../import/transcript-file.ts';

/** Text of a session's file that was not known yet. */
export interface NewText {
  readonly text: string;
  /** It is everything that the file holds, and what was known of it counts no more. */
  readonly isWhole: boolean;
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
  /** Holds the beginning of a character whose other bytes are not written yet. */
  readonly decoder: TextDecoder;
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

  /** @param largest bytes of a file that is read */
  constructor(path: string, largest = largestTranscript) {
    this.path = path;
    this.largest = largest;
  }

  /**
   * @param progress told the share that was read, from 0 to 1, as it grows
   * @returns undefined if there is nothing new: the file is as it was, or gone
   * @throws {SentenceError} if the file is larger than what is read
   * @throws what the file system throws, if the file is there
   * @throws {CancelledError} if the signal was aborted
   */
  async read(
    signal: AbortSignal,
    progress: (share: number) => void = () => {},
  ): Promise<NewText | undefined> {
    const file = await open(this.path).catch(undefinedIfGone);
    if (file === undefined) return undefined;
    try {
      return await this.readFrom(file, signal, progress);
    } finally {
      await file.close();
    }
  }

  private async readFrom(
    file: FileHandle,
    signal: AbortSignal,
    progress: (share: number) => void,
  ): Promise<NewText | undefined> {
    const { known } = this;
    const { ino: inode, size: bytes, mtimeNs: modifiedAt } = await file.stat({ bigint: true });
    const size = Number(bytes);
    if (size > this.largest) throw tooLarge(size, this.largest);
    const isSameFile = known?.inode === inode && known.size <= size;
    if (isSameFile && known.size === size && known.modifiedAt === modifiedAt) return undefined;
    const isAppended = isSameFile && known.size < size && (await hasEnds(file, known));
    const decoder = isAppended ? known.decoder : new TextDecoder();
    const from = isAppended ? known.size : 0;
    const pieces: string[] = [];
    let tail = isAppended ? known.tail : Buffer.alloc(0);
    let head = isAppended ? known.head : Buffer.alloc(0);
    let read = from;
    // The decoder moves on with every piece: after a failure in between, everything is read again.
    this.known = undefined;
    while (read < size) {
      throwIfCancelled(signal);
      const piece = await bytesAt(file, read, Math.min(pieceSize, size - read));
      // It was made shorter meanwhile, of which the next look tells.
      if (piece.length === 0) break;
      pieces.push(decoder.decode(piece, { stream: true }));
      if (head.length < comparedBytes) head = Buffer.concat([head, piece]).subarray(0, comparedBytes);
      tail = Buffer.from(Buffer.concat([tail, piece.subarray(-comparedBytes)]).subarray(-comparedBytes));
      read += piece.length;
      progress(read / size);
    }
    this.known = { inode, size: read, modifiedAt, head, tail, decoder };
    return { text: pieces.join(''), isWhole: !isAppended };
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
