import { truncate } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { withRealFile } from '../../../src/agent/files/real-file.ts';
import { mostScanned, readLines, type LinesReading } from '../../../src/agent/files/text-lines.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const signal = new AbortController().signal;
const room = { mostLines: 2_000, mostCharacters: 20_000 };

/** Bytes of one piece: the maximum that a reading may exceed its need. */
const piece = 262_144;

/** A handle of a file that exists only as its size and a function for each read. */
class CountingHandle {
  /** Number of bytes read. */
  bytes = 0;
  private readonly size: number;
  private readonly byteAt: (position: number) => number;

  constructor(size: number, byteAt: (position: number) => number) {
    this.size = size;
    this.byteAt = byteAt;
  }

  read(buffer: Buffer, offset: number, length: number, position: number) {
    const bytesRead = Math.max(0, Math.min(length, this.size - position));
    buffer.fill(this.byteAt(position), offset, offset + bytesRead);
    this.bytes += bytesRead;
    return Promise.resolve({ bytesRead, buffer });
  }
}

async function readFrom(
  handle: CountingHandle,
  size: number,
  { first = 1, last = Number.POSITIVE_INFINITY } = {},
): Promise<LinesReading> {
  const file = { handle: handle as unknown as FileHandle, size };
  return readLines(file, { first, last, ...room }, signal);
}

const x = 'x'.charCodeAt(0);

describe('the lines of a file, read in pieces', () => {
  it('are read without the rest of a large file', async () => {
    const handle = new CountingHandle(50_000_000_000, () => '\n'.charCodeAt(0));
    expect(await readFrom(handle, 50_000_000_000, { first: 1_000_000, last: 1_000_001 })).toMatchObject({
      lines: ['', ''],
      total: undefined,
    });
    expect(handle.bytes).toBeLessThanOrEqual(1_000_001 + piece);
  });

  it('are clipped without reading a line of 100 MB to its end', async () => {
    const handle = new CountingHandle(100_000_000, () => x);
    expect(await readFrom(handle, 100_000_000)).toEqual({
      lines: ['x'.repeat(20_000)],
      isClipped: true,
      omitted: undefined,
      total: undefined,
    });
    expect(handle.bytes).toBeLessThanOrEqual(piece);
  });

  it('are not searched for beyond a limit', async () => {
    const handle = new CountingHandle(50_000_000_000, () => x);
    expect(await readFrom(handle, 50_000_000_000, { first: 2 })).toEqual({ refusal: 'too-far' });
    expect(handle.bytes).toBeLessThanOrEqual(mostScanned + piece);
  });

  it('are counted up to a limit if a small file grows without end', async () => {
    const handle = new CountingHandle(Number.POSITIVE_INFINITY, () => x);
    expect(await readFrom(handle, 10)).toMatchObject({
      isClipped: true,
      omitted: undefined,
      total: undefined,
    });
    expect(handle.bytes).toBeLessThanOrEqual(20_000_000 + piece);
  });

  it('are refused as binary if the file contains a null byte', async () => {
    const handle = new CountingHandle(50_000_000_000, (position) => (position < piece ? x : 0));
    expect(await readFrom(handle, 50_000_000_000, { first: 2 })).toEqual({ refusal: 'binary' });
    expect(handle.bytes).toBeLessThanOrEqual(2 * piece);
  });

  it('stay whole if a piece ends inside a character, a line end or a line', async () => {
    const text = `${'a'.repeat(piece - 1)}ü\r\n${'b'.repeat(piece - 5)}\r\n你好`;
    await using files = await TemporaryWorkspace.create({ a: text });
    const wanted = { first: 1, last: 3, mostLines: 3, mostCharacters: 2_000_000 };
    const reading = await withRealFile(files.at('a'), (file) => readLines(file, wanted, signal));
    expect(reading).toEqual({
      lines: [`${'a'.repeat(piece - 1)}ü`, 'b'.repeat(piece - 5), '你好'],
      isClipped: false,
      omitted: undefined,
      total: 3,
    });
  });

  it('are read from a sparse file of many gigabytes, up to its empty part', async () => {
    await using files = await TemporaryWorkspace.create({ log: 'line\n'.repeat(100_000) });
    await truncate(files.at('log'), 8_000_000_000);
    const read = (first: number, last: number) =>
      withRealFile(files.at('log'), (file) => readLines(file, { first, last, ...room }, signal));
    expect(await read(7, 8)).toMatchObject({ lines: ['line', 'line'] });
    expect(await read(100_001, 100_001)).toEqual({ refusal: 'binary' });
  });
});
