import { type FileHandle, open } from 'node:fs/promises';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { hostSentences } from '../../language/host-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { followTranscript } from '../../transcripts/followed-transcript.ts';
import { type ImportedTranscript, importTranscript } from '../../transcripts/import-transcript.ts';
import { inDatabase } from './opencode-database.ts';
import { isSessionInFolder } from './opencode-folder.ts';
import { readSessionText } from './session-text.ts';
import { fileTooLarge, largestTranscript } from './transcript-file.ts';

/** A session that its agent goes on with. */
export interface FollowedSession {
  /**
   * Looks for changes. Nothing is read of a file but what was added to it, unless it was cut or replaced.
   *
   * @returns true if there are any
   * @throws {SentenceError} if the session cannot be read any more, or has become too large
   * @throws {CancelledError} if the signal was aborted
   */
  refresh(signal: AbortSignal): Promise<boolean>;
  /**
   * Content as of the last refresh; the same object until one finds a change.
   *
   * @throws {ImportError} as `importTranscript` does
   */
  read(): ImportedTranscript;
}

/** @param path as `FoundSession` has it, or of any file */
export function followSession(path: string): FollowedSession {
  return inDatabase(path) !== undefined || isSessionInFolder(path)
    ? new RereadSession(path)
    : new FollowedFile(path);
}

/** Bytes that are read at once. */
const pieceSize = 1_048_576;
/** Bytes from the beginning and before the end of what was read by which a file is known to be the same. */
const markSize = 64;

/** Features by which a file is known to be the one that was read. */
interface Mark {
  readonly inode: number;
  readonly first: Uint8Array;
  readonly last: Uint8Array;
}

class FollowedFile implements FollowedSession {
  private readonly path: string;
  private readonly transcript = followTranscript();
  private offset = 0;
  private mark: Mark | undefined;
  /** One at a time: what two read at once would be added twice. */
  private refreshed: Promise<unknown> = Promise.resolve();

  constructor(path: string) {
    this.path = path;
  }

  refresh(signal: AbortSignal): Promise<boolean> {
    const refreshed = this.refreshed.then(() => this.readAdded(signal));
    this.refreshed = refreshed.catch(() => {});
    return refreshed;
  }

  read(): ImportedTranscript {
    return this.transcript.read();
  }

  private async readAdded(signal: AbortSignal): Promise<boolean> {
    throwIfCancelled(signal);
    const file = await open(this.path);
    try {
      const described = await file.stat();
      if (!described.isFile()) throw new SentenceError(hostSentences.say('notAFile'));
      const { size, ino: inode } = described;
      if (size > largestTranscript) throw fileTooLarge(size);
      const isSame = this.mark?.inode === inode && size >= this.offset && (await this.isMarked(file));
      const wasRead = this.offset > 0;
      if (!isSame) {
        this.transcript.reset();
        this.offset = 0;
      }
      const start = this.offset;
      while (this.offset < size) {
        throwIfCancelled(signal);
        const piece = await bytesAt(file, this.offset, Math.min(pieceSize, size - this.offset));
        // The file was cut meanwhile; the next refresh finds that.
        if (piece.length === 0) break;
        this.transcript.append(piece);
        this.offset += piece.length;
      }
      this.mark = { inode, ...(await this.marksIn(file)) };
      return this.offset > start || (wasRead && !isSame);
    } finally {
      await file.close();
    }
  }

  private async isMarked(file: FileHandle): Promise<boolean> {
    const { first, last } = await this.marksIn(file);
    return isEqual(first, this.mark?.first) && isEqual(last, this.mark?.last);
  }

  private async marksIn(file: FileHandle): Promise<Omit<Mark, 'inode'>> {
    const size = Math.min(markSize, this.offset);
    return {
      first: await bytesAt(file, 0, size),
      last: await bytesAt(file, this.offset - size, size),
    };
  }
}

/** A session in many files or in a database, which is read as a whole. */
class RereadSession implements FollowedSession {
  private readonly path: string;
  private text = '';
  private imported: ImportedTranscript | undefined;

  constructor(path: string) {
    this.path = path;
  }

  async refresh(signal: AbortSignal): Promise<boolean> {
    const text = await readSessionText(this.path, signal);
    if (text === this.text) return false;
    this.text = text;
    this.imported = undefined;
    return true;
  }

  read(): ImportedTranscript {
    this.imported ??= importTranscript(this.text);
    return this.imported;
  }
}

/** @returns fewer bytes than asked for where the file ends */
async function bytesAt(file: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(length), position });
  return buffer.subarray(0, bytesRead);
}

function isEqual(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return one.length === other?.length && one.every((byte, index) => byte === other[index]);
}
