import { headOf } from '../../compaction/text/clip.ts';
import { type CancellationSignal, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { isBinary, type RealFile, readPart, utf16Of } from './real-file.ts';

/** Lines to read, counted from 1. */
export interface WantedLines {
  readonly first: number;
  /** Last line, inclusive; may be infinite. */
  readonly last: number;
  readonly mostLines: number;
  /** Maximum characters. A longer first line is clipped. A later line that does not fit ends the reading. */
  readonly mostCharacters: number;
}

export interface LinesRead {
  /** The lines from the first requested line on, without line ends. */
  readonly lines: readonly string[];
  readonly isClipped: boolean;
  /** Characters cut from the clipped line; undefined if its end was not read. */
  readonly omitted: number | undefined;
  /** Number of lines in the file; undefined if it was not read to its end. */
  readonly total: number | undefined;
}

/** The lines that were read, or a refusal: `too-far` if the first requested line begins after `mostScanned` bytes. */
export type LinesReading = LinesRead | { readonly refusal: 'binary' | 'too-far' };

/** Maximum bytes of a file read in search of a line. */
export const mostScanned = 200_000_000;
/** Maximum bytes of a file that is read to its end in order to count its lines. */
const mostCounted = 20_000_000;
const chunkSize = 256 * 1024;

/** Reads some lines of a UTF-8 or UTF-16 file in pieces. @throws {CancelledError} if the signal was aborted */
export async function readLines(
  { handle, size }: RealFile,
  wanted: WantedLines,
  signal: CancellationSignal,
): Promise<LinesReading> {
  const collector = new LineCollector(wanted);
  const buffer = Buffer.allocUnsafe(chunkSize);
  const goOnUntil = size <= mostCounted ? mostCounted : 0;
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  let isWide = false;
  for (let position = 0; !collector.isDone || position < goOnUntil;) {
    throwIfCancelled(signal);
    if (position >= mostScanned) {
      return collector.isEmpty ? { refusal: 'too-far' } : collector.read(false);
    }
    const bytes = await readPart(handle, position, chunkSize, buffer);
    if (decoder === undefined) {
      const wide = utf16Of(bytes);
      isWide = wide !== undefined;
      decoder = new TextDecoder(wide ?? 'utf-8');
    }
    if (!isWide && isBinary(bytes)) return { refusal: 'binary' };
    collector.push(decoder.decode(bytes, { stream: bytes.length > 0 }));
    if (bytes.length === 0) return collector.read(true);
    position += bytes.length;
  }
  return collector.read(false);
}

/** Collects lines from text that arrives in pieces. Lines end as in ripgrep, so that the numbers agree. */
class LineCollector {
  private readonly wanted: WantedLines;
  private readonly lines: string[] = [];
  private taken = 0;
  private number = 1;
  /** Number of characters of the current line so far, and its beginning if the line was requested. */
  private length = 0;
  private head = '';
  private isFull = false;
  /** Length of the whole first line in characters, if the line was clipped and its end was found. */
  private whole: number | undefined;

  constructor(wanted: WantedLines) {
    this.wanted = wanted;
  }

  get isDone(): boolean {
    const { last, mostLines } = this.wanted;
    return this.isFull || this.number > last || this.lines.length >= mostLines || this.isFirstTooLong;
  }

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }

  push(text: string): void {
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.add(text, from, end);
      this.endLine();
      from = end + 1;
    }
    this.add(text, from, text.length);
  }

  /** @param isWhole true if the file was read to its end */
  read(isWhole: boolean): LinesRead {
    if (this.length > 0 && (isWhole || this.isFirstTooLong)) this.endLine(isWhole);
    const { mostCharacters } = this.wanted;
    const [first = ''] = this.lines;
    const isClipped = first.length > mostCharacters;
    const shown = isClipped ? headOf(first, mostCharacters) : first;
    return {
      lines: isClipped ? [shown] : this.lines,
      isClipped,
      omitted: isClipped && this.whole !== undefined ? this.whole - shown.length : undefined,
      total: isWhole ? this.number - 1 : undefined,
    };
  }

  private get isFirstTooLong(): boolean {
    return this.lines.length === 0 && this.head.length > this.wanted.mostCharacters;
  }

  private add(text: string, from: number, end: number): void {
    this.length += end - from;
    const { first, last, mostCharacters } = this.wanted;
    // One more character shows that the line does not fit. Another may be the carriage return before its end.
    const room = mostCharacters + 2 - this.head.length;
    if (this.isFull || this.number < first || this.number > last || room <= 0) return;
    this.head += text.slice(from, Math.min(end, from + room));
  }

  /** @param isEndKnown false if the rest of the line was not read */
  private endLine(isEndKnown = true): void {
    const { first, last, mostLines, mostCharacters } = this.wanted;
    const isWanted = this.number >= first && this.number <= last;
    if (isWanted && !this.isFull && this.lines.length < mostLines) {
      const isEndHeld = this.head.length === this.length;
      const line = isEndHeld && this.head.endsWith('\r') ? this.head.slice(0, -1) : this.head;
      this.taken += line.length + 1;
      this.isFull = this.taken > mostCharacters;
      if (!this.isFull || this.lines.length === 0) this.lines.push(line);
      if (this.lines.length === 1 && isEndKnown) this.whole ??= this.length;
    }
    this.number++;
    this.length = 0;
    this.head = '';
  }
}

/** Splits a text into lines without line ends. */
export function linesOfText(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}
