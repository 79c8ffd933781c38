import type { FileHandle } from 'node:fs/promises';
import { openTranscriptFile } from '../import/transcript-file.ts';
import { bytesAt } from './appended-text.ts';

/** Parts of JSON lines in which agents note a compaction. Quotes within messages are escaped and do not match. */
const compactionTrace =
  /"isCompactSummary"\s*:\s*true|"type"\s*:\s*"(?:compacted|compaction|session\.compaction_complete)"|"subtype"\s*:\s*"chat_compression"|"\$set"\s*:|"toolCallRoundId"\s*:/gu;
/** Maximum characters of a trace. */
const longestTrace = 64;
/** Bytes read at a time. */
const pieceSize = 1_048_576;
const lineFeed = 10;

/** Searches the lines appended to a file for traces of compactions. Lines may have any length. */
export class TraceLines {
  private readonly path: string;
  private readonly from: number | undefined;
  /** Number of searched bytes; undefined before the first check. */
  private searched: number | undefined;
  private inode: bigint | undefined;
  /** Bytes up to the end of the last whole line. */
  private wholeLines = 0;
  /** The end of the text that was searched last. A trace may begin in it. */
  private rest = '';
  /** Traces that were not reported yet: a number of bytes before the line of the first trace, and of the last. */
  private found: { readonly from: number; readonly lastAt: number } | undefined;

  /** @param from number of bytes that existed before; unknown by default */
  constructor(path: string, from?: number) {
    this.path = path;
    this.from = from;
  }

  /**
   * Searches the bytes added since the last check, at first those after `from`.
   *
   * @returns a number of bytes before the first whole line with a trace, or undefined
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
    const { found, wholeLines } = this;
    if (found === undefined || wholeLines <= found.lastAt) return undefined;
    this.found = undefined;
    return found.from;
  }

  private async begin(file: FileHandle, size: number): Promise<void> {
    this.searched = size;
    this.rest = '';
    this.found = undefined;
    const from = Math.max(0, size - pieceSize);
    const end = await bytesAt(file, from, size - from);
    this.wholeLines = from + end.lastIndexOf(lineFeed) + 1;
  }

  private async search(file: FileHandle, size: number): Promise<void> {
    while (this.searched !== undefined && this.searched < size) {
      const piece = await bytesAt(file, this.searched, Math.min(pieceSize, size - this.searched));
      if (piece.length === 0) return;
      const text = this.rest + piece.toString('latin1');
      const trace = [...text.matchAll(compactionTrace)].at(-1);
      if (trace !== undefined) {
        const lastAt = this.searched - this.rest.length + trace.index;
        this.found = { from: this.found?.from ?? this.wholeLines, lastAt };
      }
      this.rest = text.slice(Math.max(text.lastIndexOf('\n') + 1, text.length - longestTrace));
      const end = piece.lastIndexOf(lineFeed) + 1;
      if (end > 0) this.wholeLines = this.searched + end;
      this.searched += piece.length;
    }
  }
}
