import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { hostSentences } from '../../language/host-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';

/** Bytes of the largest file that is read: its text and its messages are in memory at once. */
export const largestTranscript = 200_000_000;

/**
 * Reads a file piece by piece.
 *
 * @param progress told the share that was read, from 0 to 1, as it grows
 * @param largest bytes
 * @throws {SentenceError} if it is not a file, empty or too large
 * @throws {CancelledError} if the signal was aborted
 */
export async function readTranscriptFile(
  path: string,
  signal: AbortSignal,
  progress: (share: number) => void = () => {},
  largest = largestTranscript,
): Promise<string> {
  throwIfCancelled(signal);
  const size = await sizeOfTranscript(path, largest);
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let read = 0;
  // An agent may still be writing; what it adds meanwhile can be half a line.
  for await (const piece of createReadStream(path, { end: size - 1, highWaterMark: 1_048_576 })) {
    throwIfCancelled(signal);
    const bytes = piece as Uint8Array;
    pieces.push(decoder.decode(bytes, { stream: true }));
    read += bytes.length;
    progress(read / size);
  }
  return pieces.join('') + decoder.decode();
}

/**
 * @param largest bytes
 * @returns bytes
 * @throws {SentenceError} if it is not a file, empty or too large
 */
export async function sizeOfTranscript(path: string, largest = largestTranscript): Promise<number> {
  const described = await stat(path);
  const { size } = described;
  if (!described.isFile()) throw new SentenceError(hostSentences.say('notAFile'));
  if (size === 0) throw new SentenceError(hostSentences.say('emptyFile'));
  if (size <= largest) return size;
  throw tooLarge(size, largest);
}

/** @param size bytes @param largest bytes */
export function tooLarge(size: number, largest: number): SentenceError {
  return new SentenceError(
    hostSentences.say('fileTooLarge', { size: inMegabytes(size), largest: inMegabytes(largest) }),
  );
}

function inMegabytes(bytes: number): string {
  return Math.ceil(bytes / 1_000_000).toLocaleString('en');
}

/** Bytes of a session's file that are read for a list. */
export const headSize = 65_536;

/** @returns the text of the first bytes, without a character that is cut in two */
export async function beginningOf(path: string, size: number): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(size), position: 0 });
    return new TextDecoder().decode(buffer.subarray(0, bytesRead), { stream: true });
  } finally {
    await file.close();
  }
}

/** @returns the text of the last bytes, which can begin in the middle of a character */
export async function endOf(path: string, size: number): Promise<string> {
  const file = await open(path);
  try {
    const { size: all } = await file.stat();
    const position = Math.max(0, all - size);
    const { buffer, bytesRead } = await file.read({ buffer: new Uint8Array(size), position });
    return new TextDecoder().decode(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
