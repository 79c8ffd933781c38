import type { FileHandle } from 'node:fs/promises';
import { openTranscriptFile } from '../import/transcript-file.ts';
import { bytesAt } from './appended-text.ts';

/** Parts of JSON lines in which agents note a compaction. Quotes within messages are escaped and do not match. */
const compactionMark =
  /"isCompactSummary"\s*:\s*true|"type"\s*:\s*"(?:compacted|compaction|session\.compaction_complete)"|"subtype"\s*:\s*"chat_compression"|"\$set"\s*:|"toolCallRoundId"\s*:/gu;
/** Maximum characters of a mark. */
const longestMark = 64;
/** Bytes read at a time. */
const pieceSize = 1_048_576;
const lineFeed = 10;

/** Searches the lines appended to a file for marks of compactions. Lines may have any length. */
export class MarkedLines {
  private readonly path: string;
  private readonly from: number | undefined;
  /** Number of searched bytes; undefined before the first check. */
  private searched: number | undefined;
  private inode: bigint | undefined;
  /** Bytes up to the end of the last whole line. */
  private wholeLines = 0;
  /** The end of the text that was searched last. A mark may begin in it. */
  private rest = '';
  /** Marks that were not reported yet: a number of bytes before the line of the first mark, and of the last mark. */
  private marked: { readonly from: number; readonly lastAt: number } | undefined;

  /** @param from number of bytes that existed before; unknown by default */
  constructor(path: string, from?: number) {
    this.path = path;
    this.from = from;
  }

  /**
   * Searches the bytes added since the last check, at first those after `from`.
   *
   * @returns a number of bytes before the first whole line with a mark, or undefined
   * @throws errors of the file system
   */
  async look(): Promise<number | undefined> {
    const file = await openTranscriptFile(this.path);
    try {
      const { ino: inode, size: bytes } = await file.stat({ bigint: true });
      const size = Number(bytes);
      if (this.searched === undefined) await this.begin(file, Math.min(this.from ?? size, size));
      // If the file was replaced, its content does not count as added.
      else if (inode !== this.inode || size < this.searched) await this.begin(file, size);
      await this.search(file, size);
      this.inode = inode;
    } finally {
      await file.close();
    }
    const { marked, wholeLines } = this;
    if (marked === undefined || wholeLines <= marked.lastAt) return undefined;
    this.marked = undefined;
    return marked.from;
  }

  private async begin(file: FileHandle, size: number): Promise<void> {
    this.searched = size;
    this.rest = '';
    this.marked = undefined;
    const from = Math.max(0, size - pieceSize);
    const end = await bytesAt(file, from, size - from);
    this.wholeLines = from + end.lastIndexOf(lineFeed) + 1;
  }

  private async search(file: FileHandle, size: number): Promise<void> {
    while (this.searched !== undefined && this.searched < size) {
      const piece = await bytesAt(file, this.searched, Math.min(pieceSize, size - this.searched));
      if (piece.length === 0) return;
      const text = this.rest + piece.toString('latin1');
      const mark = [...text.matchAll(compactionMark)].at(-1);
      if (mark !== undefined) {
        const lastAt = this.searched - this.rest.length + mark.index;
        this.marked = { from: this.marked?.from ?? this.wholeLines, lastAt };
      }
      this.rest = text.slice(Math.max(text.lastIndexOf('\n') + 1, text.length - longestMark));
      const end = piece.lastIndexOf(lineFeed) + 1;
      if (end > 0) this.wholeLines = this.searched + end;
      this.searched += piece.length;
    }
  }
}
