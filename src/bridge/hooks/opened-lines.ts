import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { HookCallError } from './hook-call.ts';

/** Number of bytes read at a time, if not all lines are kept. */
export const pieceSize = 1_048_576;
export const lineFeed = 10;

/** A session's file that is open for reading. */
export interface OpenedLines {
  /** Size in bytes. */
  readonly size: number;
  /** Returns the bytes between two positions; fewer if the file has become shorter. */
  bytes(start: number, end: number): Promise<Buffer>;
}

/**
 * Keeps a session's file open until `work` ends. The path is untrusted, so the function neither waits for a pipe nor
 * follows a link.
 * @throws {HookCallError} if it is not a file
 * @throws errors of the file system
 */
export async function withSessionFile<Result>(
  path: string,
  work: (session: OpenedLines) => Promise<Result>,
): Promise<Result> {
  // Windows has only the first flag; undefined flags count as 0.
  const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
  const file = await open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ELOOP') throw error;
    throw new HookCallError(`the transcript is a link: ${path}`);
  });
  try {
    const described = await file.stat();
    if (!described.isFile()) throw new HookCallError(`the transcript is not a file: ${path}`);
    return await work({ size: described.size, bytes: (start, end) => bytesOf(file, start, end) });
  } finally {
    await file.close();
  }
}

async function bytesOf(file: FileHandle, start: number, end: number): Promise<Buffer> {
  // The buffer is not cleared, because the read fills it.
  const bytes = Buffer.allocUnsafe(Math.max(0, end - start));
  let read = 0;
  while (read < bytes.length) {
    const { bytesRead } = await file.read(bytes, read, bytes.length - read, start + read);
    if (bytesRead === 0) break;
    read += bytesRead;
  }
  return bytes.subarray(0, read);
}

/** Bytes searched at a time for the end of a line. Most lines are shorter. */
const endSize = 65_536;
/** Maximum bytes searched for the end of a line. No reader takes longer lines. */
const mostSearched = 16_000_000;

/** Returns the position in bytes after the last whole line of a session's file. */
export async function endOfLines(session: OpenedLines): Promise<number> {
  const first = Math.max(0, session.size - mostSearched);
  for (let end = session.size; end > first; end -= endSize) {
    const start = Math.max(first, end - endSize);
    const feed = (await session.bytes(start, end)).lastIndexOf(lineFeed);
    if (feed >= 0) return start + feed + 1;
  }
  return first;
}
