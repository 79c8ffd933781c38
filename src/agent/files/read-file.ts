import type { FileHandle } from 'node:fs/promises';
import type { RealFile } from './real-file.ts';

/** The bytes of a file, or why they are not read. */
export type Reading = { readonly bytes: Buffer } | { readonly refusal: 'binary' | 'too-large' };

const chunkSize = 256 * 1024;

/**
 * Reads a text file whole, however it grows meanwhile. The first bytes tell whether it is a text at all, before its
 * size counts and before more is read.
 *
 * @param most bytes
 * @throws {DOMException} `AbortError` where the signal was aborted
 */
export async function readWholeText(
  { handle, size }: RealFile,
  most: number,
  signal?: AbortSignal,
): Promise<Reading> {
  const chunks: Buffer[] = [];
  for (let position = 0; ;) {
    signal?.throwIfAborted();
    const chunk = await readPart(handle, position, Math.min(chunkSize, most + 1 - position));
    if (position === 0) {
      if (isBinary(chunk)) return { refusal: 'binary' };
      if (size > most) return { refusal: 'too-large' };
    }
    position += chunk.length;
    if (position > most) return { refusal: 'too-large' };
    if (chunk.length === 0) break;
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  return isBinary(bytes) ? { refusal: 'binary' } : { bytes };
}

/** Reads bytes of a file from a position on; fewer where it ends before. */
export async function readPart(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, position + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** True if these are no text: one has no NUL, unless it is in UTF-16 and begins with a byte order mark. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.includes(0) && utf16Of(bytes) === undefined;
}

/** The text of bytes in UTF-8 or UTF-16, without its byte order mark. */
export function decodeText(bytes: Buffer): string {
  return new TextDecoder(utf16Of(bytes) ?? 'utf-8').decode(bytes);
}

/** Which kind of UTF-16 a byte order mark announces. */
export function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}
