import { type FileHandle, open, stat } from 'node:fs/promises';
import { urgentSlices } from '../../agent/node-slices.ts';
import { isTyped } from '../../compaction/messages/message.ts';
import type { SessionContents } from '../../transcripts/session/session-format.ts';
import { linesOfBytes } from './session-store.ts';

const lineFeed = 0x0a;
/** Maximum bytes of a file that is read as a whole. This is faster than showing the end of the file first. */
const shortFile = 1_000_000;
/** Number of bytes first read from the end, and maximum number if they contain no typed message. */
const leastRead = 1 << 18;
const mostRead = 1 << 21;

/**
 * Reads the end of a long session, if possible with the newest turn; undefined if short or unreadable. Never rejects.
 */
export async function readTail(path: string): Promise<SessionContents | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size < shortFile) return undefined;
    await using file = await open(path);
    for (let length = leastRead; ; length *= 2) {
      const contents = await contentsFrom(file, Math.max(0, found.size - length), found.size);
      const hasTurn = contents.entries.some((entry) => entry.type === 'message' && isTyped(entry.message));
      if (hasTurn) return contents;
      if (length >= mostRead) return contents.entries.length === 0 ? undefined : contents;
    }
  } catch {
    // Reading the whole file will also fail, and report the reason.
    return undefined;
  }
}

/** Contents of the lines between two positions in a file. */
async function contentsFrom(file: FileHandle, start: number, end: number): Promise<SessionContents> {
  const { readSessionInSlices } = await import('../../transcripts/session/session-format.ts');
  const buffer = Buffer.alloc(end - start);
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
  const bytes = buffer.subarray(0, bytesRead);
  const firstLine = start === 0 ? 0 : bytes.indexOf(lineFeed) + 1;
  return readSessionInSlices(linesOfBytes(bytes.subarray(firstLine)), urgentSlices());
}
