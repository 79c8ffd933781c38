import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hostSentences } from '../../language/english/host-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import type { ReadLimits } from '../../transcripts/reading/read-limits.ts';

/** Maximum size of a file, in bytes. */
export const largestTranscript = 200_000_000;

/** Bytes read at a time. */
const pieceSize = 1_048_576;
const lineFeed = 10;

/** Flags for opening files. Windows has only the first; missing flags count as 0. */
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW } = constants;
/** Flags to open only regular files: opening neither waits for a pipe nor follows a link. */
export const onlyFiles = O_RDONLY | O_NONBLOCK | O_NOFOLLOW;

/** Opens a session's file, even if it has been replaced. @throws {SentenceError} if it is not a regular file */
export async function openTranscriptFile(path: string): Promise<FileHandle> {
  const file = await open(path, onlyFiles).catch((error: unknown) => {
    throw isNoFile(error) ? notAFile() : error;
  });
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw notAFile();
}

/** True for the error of opening a link or a socket. */
function isNoFile(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ELOOP' || code === 'EMLINK' || code === 'ENXIO';
}

function notAFile(): SentenceError {
  return new SentenceError(hostSentences.say('notAFile'));
}

/**
 * Reads a file piece by piece.
 *
 * @param limits limits for the first line, which may be a whole document, and for the other lines
 * @throws {SentenceError} if the file is not regular, is empty or too large, or has a line that is too long
 * @throws {CancelledError} if the signal was aborted
 */
export async function readTranscriptFile(
  path: string,
  signal: AbortSignal,
  limits: ReadLimits,
  progress: (share: number) => void = () => {},
  largest = largestTranscript,
): Promise<string> {
  throwIfCancelled(signal);
  await sizeOfTranscript(path, largest);
  const file = await openTranscriptFile(path);
  const { size } = await file.stat();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let [read, lineStart] = [0, 0];
  // Ignores bytes that an agent adds while the file is read, because they can end within a line.
  const end = Math.min(size, largest) - 1;
  for await (const piece of file.createReadStream({ end, highWaterMark: pieceSize })) {
    throwIfCancelled(signal);
    const bytes = piece as Buffer;
    const feed = bytes.indexOf(lineFeed);
    const longest = lineStart === 0 ? limits.document : limits.line;
    if (read + (feed < 0 ? bytes.length : feed) - lineStart > longest) {
      throw new SentenceError(hostSentences.say('lineTooLong', { largest: inMegabytes(longest) }));
    }
    if (feed >= 0) lineStart = read + bytes.lastIndexOf(lineFeed) + 1;
    pieces.push(decoder.decode(bytes, { stream: true }));
    read += bytes.length;
    progress(read / size);
  }
  return pieces.join('') + decoder.decode();
}

/** The size of a file in bytes. @throws {SentenceError} if the file is not regular, is empty or too large */
export async function sizeOfTranscript(path: string, largest = largestTranscript): Promise<number> {
  const described = await lstat(path);
  const { size } = described;
  if (!described.isFile()) throw notAFile();
  if (size === 0) throw new SentenceError(hostSentences.say('emptyFile'));
  if (size <= largest) return size;
  throw fileTooLarge(size, largest);
}

/** @param size in bytes @param largest in bytes */
export function fileTooLarge(size: number, largest: number): SentenceError {
  return new SentenceError(
    hostSentences.say('fileTooLarge', { size: inMegabytes(size), largest: inMegabytes(largest) }),
  );
}

function inMegabytes(bytes: number): string {
  return Math.ceil(bytes / 1_000_000).toLocaleString('en');
}

/** Bytes at the beginning of a session's file that a list needs. */
export const headSize = 65_536;

/** @returns the text of the first bytes, without an incomplete last character */
export async function beginningOfText(path: string, size: number): Promise<string> {
  const file = await openTranscriptFile(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(size), position: 0 });
    return new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
  } finally {
    await file.close();
  }
}

/** @returns the text of the last bytes, which may begin within a character */
export async function endOf(path: string, size: number): Promise<string> {
  const file = await openTranscriptFile(path);
  try {
    const { size: all } = await file.stat();
    const position = Math.max(0, all - size);
    const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(size), position });
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}

/** Paths of the files in a folder whose names match, without links; none if the folder cannot be read. */
export async function filesNamed(folder: string, name: RegExp): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && name.test(entry.name))
    .map((entry) => join(folder, entry.name))
    .toSorted();
}
