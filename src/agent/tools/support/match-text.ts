import type { FileHandle } from 'node:fs/promises';
import { ellipsised, headOf, tailOf } from '../../../compaction/text/clip.ts';
import { decodeText, readPart, readWholeText, utf16Of, withRealFile } from '../../files/real-file.ts';

/** The place of a matching line. */
export interface Hit {
  /** The path as ripgrep prints it. */
  readonly path: string;
  readonly line: number;
  /** Start of the line, in bytes of the UTF-8 text without its byte order mark. */
  readonly lineStart: number;
  /** Start of the match within the line, in bytes. */
  readonly matchStart: number;
}

const longestText = 250;
/** Maximum characters shown before the match in a long line. */
const before = 80;
const widest = 4;
const lineFeed = 10;

/** Flags that print the places of hits but no lines, because a line can be as long as its file. */
export const hitFlags =
  '--null --with-filename --no-heading --line-number --column --byte-offset --max-columns=1'.split(' ');

/** Parses a line that was printed with `hitFlags`; undefined for any other line. */
export function readHit(printed: string): Hit | undefined {
  const [, path, line, column, offset] = /^([^\0]+)\0(\d+):(\d+):(\d+):/.exec(printed) ?? [];
  if (path === undefined) return undefined;
  return { path, line: Number(line), lineStart: Number(offset), matchStart: Number(column) - 1 };
}

/**
 * Reads the lines of hits from the file itself, in case a folder has become a link.
 * @returns each line, clipped around the match; undefined if no line begins at that position any more
 */
export async function textsOfHits(
  file: string,
  hits: readonly Hit[],
  largest: number,
): Promise<readonly (string | undefined)[]> {
  try {
    return await withRealFile(file, async (open) => {
      const head = await readPart(open.handle, 0, 3);
      if (utf16Of(head) === undefined) {
        const start = head.equals(Buffer.from([0xef, 0xbb, 0xbf])) ? 3 : 0;
        const source = { read: reader(open.handle, start) };
        return Promise.all(hits.map((hit) => textOf(hit, source)));
      }
      const reading = await readWholeText(open, largest);
      const whole = Buffer.from('bytes' in reading ? decodeText(reading.bytes) : '');
      const source = {
        read: (from: number, length: number) => Promise.resolve(whole.subarray(from, from + length)),
      };
      return Promise.all(hits.map((hit) => textOf(hit, source)));
    });
  } catch {
    return hits.map(() => undefined);
  }
}

interface Source {
  read(from: number, length: number): Promise<Buffer>;
}

function reader(handle: FileHandle, start: number) {
  return (from: number, length: number) => readPart(handle, start + from, length);
}

async function textOf({ lineStart, matchStart }: Hit, source: Source): Promise<string | undefined> {
  if (lineStart > 0 && (await source.read(lineStart - 1, 1))[0] !== lineFeed) return undefined;
  const skipped = Math.max(0, matchStart - longestText * widest);
  const bytes = await source.read(lineStart + skipped, 2 * longestText * widest);
  const end = bytes.indexOf(lineFeed);
  const isLineEnd = end >= 0 || bytes.length < 2 * longestText * widest;
  if (bytes.length === 0) return undefined;
  const start = skipped === 0 ? 0 : charactersStart(bytes);
  const part = bytes.subarray(start, end < 0 ? bytes.length : end);
  const text = new TextDecoder().decode(part, { stream: !isLineEnd }).replace(/\r$/, '');
  const matchAt = new TextDecoder().decode(part.subarray(0, matchStart - skipped - start)).length;
  return clipAround(text, matchAt, { isStart: skipped === 0, isEnd: isLineEnd });
}

function charactersStart(bytes: Buffer): number {
  const start = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return start >= 0 && start < widest ? start : 0;
}

function clipAround(
  part: string,
  matchAt: number,
  { isStart, isEnd }: { readonly isStart: boolean; readonly isEnd: boolean },
): string {
  if (isStart && isEnd && part.length <= longestText) return part;
  const lastStart = isEnd ? part.length - longestText : part.length;
  const from = Math.max(0, Math.min(matchAt - before, lastStart));
  // Neither end may be inside a character.
  const rest = tailOf(part, part.length - from);
  const head = isStart && from === 0 ? '' : '…';
  return `${head}${isEnd ? ellipsised(rest, longestText) : `${headOf(rest, longestText)}…`}`;
}
