import {
  agentFormats,
  finishImport,
  formatOf,
  type ImportedFile,
  importFile,
  isCalled,
} from './import-transcript.ts';
import { EventLineReader, linesOf } from './reading/json-document.ts';
import { documentTooLarge, noLimits, type ReadLimits } from './reading/read-limits.ts';
import { sessionFormat } from './session/session-format.ts';
import type { LineReading, TranscriptFormat } from './reading/transcript-format.ts';

// Every JavaScript runtime has these two. The types of this layer include neither a browser's nor Node's.
declare const TextDecoder: new (
  label?: string,
  options?: { readonly ignoreBOM?: boolean },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** A session's file to which its agent continues to write. */
export interface FollowedTranscript {
  /**
   * Takes text appended to the file. Pieces may end anywhere, even within a character. For JSON lines, only the last
   * line is kept as text, so that a large file needs little memory if it comes in small pieces.
   *
   * @throws {ImportError} if the file exceeds the limits on values
   */
  append(added: Uint8Array | string): void;
  /** Discards the content, because the file was shortened or replaced. */
  reset(): void;
  /**
   * Returns the content of the file so far, as `importTranscript` reads it, but without an incomplete last JSON line.
   * The object stays the same until text is added.
   *
   * @throws {ImportError} like `importTranscript`
   */
  read(): ImportedFile;
}

/**
 * Follows a file. Each JSON line is parsed once, when it is complete; any other file is read from its beginning every
 * time. A format recognised in a file of lines stays until a reset.
 *
 * @param format the id of a format, or `auto`
 * @param limits limits on reading. Longer lines are skipped; a larger document is refused
 * @param formats formats to choose from
 */
export function followTranscript(
  format = 'auto',
  limits = noLimits,
  formats = agentFormats,
): FollowedTranscript {
  let beginning = new UnknownFile(format, limits, formats);
  let lines: KnownLines | undefined;
  let imported: ImportedFile | undefined;
  return {
    append: (added) => {
      if (added.length === 0) return;
      imported = undefined;
      (lines ?? beginning).append(typeof added === 'string' ? new TextEncoder().encode(added) : added);
      lines ??= beginning.asLinesOnceLong();
    },
    reset: () => {
      beginning = new UnknownFile(format, limits, formats);
      lines = undefined;
      imported = undefined;
    },
    read: () => {
      if (imported !== undefined) return imported;
      lines ??= beginning.asLines();
      imported = lines === undefined ? beginning.read() : lines.read();
      return imported;
    },
  };
}

const lineFeed = 10;

/** Bytes after which the format is detected before the file is read. Each further attempt waits for twice the size. */
const firstLook = 262_144;

/** A file that is not JSON lines of a known format, or is too short to detect a format. */
class UnknownFile {
  private readonly format: string;
  private readonly limits: ReadLimits;
  private readonly formats: readonly TranscriptFormat[];
  private pieces: Uint8Array[] = [];
  private size = 0;
  private nextLook = firstLook;
  /** True for one of our own sessions, which have a separate size limit. */
  private isOurs = false;
  /** True if the file is too large, so that its text was not kept. */
  private isDropped = false;

  constructor(format: string, limits: ReadLimits, formats: readonly TranscriptFormat[]) {
    this.format = format;
    this.limits = limits;
    this.formats = formats;
  }

  append(added: Uint8Array): void {
    this.size += added.length;
    // Copied here and below, because the caller may reuse its buffer. `slice` copies nothing of a buffer of Node.
    this.pieces.push(new Uint8Array(added));
  }

  /** Calls `asLines` at intervals, so that the text of a long file need not be kept until it is read. */
  asLinesOnceLong(): KnownLines | undefined {
    // An unknown format is reported when the file is read.
    if (this.format !== 'auto' && !this.formats.some((known) => isCalled(known, this.format)))
      return undefined;
    if (this.size < this.nextLook && !this.isTooLarge) return undefined;
    this.nextLook = 2 * this.size;
    const lines = this.isDropped ? undefined : this.asLines();
    if (this.isTooLarge) {
      this.pieces = [];
      this.isDropped = true;
    }
    return lines;
  }

  /** Returns the same file as lines of its format; undefined if it is not known to consist of lines. */
  asLines(): KnownLines | undefined {
    const bytes = this.joined();
    const text = textOf(bytes);
    const chosen = formatOf(text, this.format, this.formats);
    this.isOurs = chosen === sessionFormat;
    if (chosen?.lines?.fits(text) !== true) return undefined;
    // An incomplete line does not show the format.
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0 || formatOf(text.slice(0, end), this.format, this.formats) !== chosen) return undefined;
    const lines = new KnownLines(chosen.id, chosen.lines, this.limits);
    lines.addText(text.slice(0, end));
    lines.append(bytes.subarray(bytes.lastIndexOf(lineFeed) + 1));
    return lines;
  }

  read(): ImportedFile {
    if (this.isDropped) throw documentTooLarge(this.limits);
    const text = textOf(this.joined());
    const isLines = formatOf(text, this.format, this.formats)?.lines?.fits(text) === true;
    const { format, limits, formats } = this;
    return importFile(isLines ? wholeLines(text) : text, format, undefined, limits, formats);
  }

  private get isTooLarge(): boolean {
    return this.size > (this.isOurs ? this.limits.own : this.limits.document);
  }

  private joined(): Uint8Array {
    const all = joined(this.pieces);
    this.pieces = [all];
    return all;
  }
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** JSON lines of a format. Their parsed values are kept instead of their text. */
class KnownLines {
  private readonly format: string;
  private readonly reading: LineReading;
  private readonly limits: ReadLimits;
  private readonly reader: EventLineReader;
  /** Decoder that keeps byte order marks, because only a mark at the beginning of the file may be removed. */
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Bytes of the incomplete last line; empty if it is too long. */
  private rest: Uint8Array[] = [];
  private restLength = 0;

  constructor(format: string, reading: LineReading, limits: ReadLimits) {
    this.format = format;
    this.reading = reading;
    this.limits = limits;
    this.reader = new EventLineReader(limits, reading.partOf);
  }

  append(added: Uint8Array): void {
    const start = this.restLength === 0 ? 0 : added.indexOf(lineFeed) + 1;
    if (start > 0) this.endRest(added.subarray(0, start));
    const end = this.restLength === 0 ? added.lastIndexOf(lineFeed) + 1 : 0;
    if (end > start) this.addText(this.decoder.decode(added.subarray(start, end)));
    this.addToRest(added.subarray(Math.max(start, end)));
  }

  /** @param text whole lines */
  addText(text: string): void {
    for (const line of linesOf(text.slice(0, -1))) this.reader.add(line);
  }

  read(): ImportedFile {
    const rest = this.isRestTooLong ? undefined : this.decoder.decode(joined(this.rest));
    return finishImport(this.format, this.reading.read(this.reader.including(rest)));
  }

  private get isRestTooLong(): boolean {
    return this.restLength > this.limits.line;
  }

  private addToRest(added: Uint8Array): void {
    this.restLength += added.length;
    if (this.isRestTooLong) this.rest = [];
    else if (added.length > 0) this.rest.push(new Uint8Array(added));
  }

  /** @param ending last part of the line, with its line feed */
  private endRest(ending: Uint8Array): void {
    this.addToRest(ending);
    if (this.isRestTooLong) this.reader.skipLong();
    else this.addText(this.decoder.decode(joined(this.rest)));
    this.rest = [];
    this.restLength = 0;
  }
}

/** Returns the text without an incomplete last line, which has no line feed and is not JSON. */
export function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  const reader = new EventLineReader(noLimits);
  reader.add(text.slice(end));
  return reader.events.length > 0 ? text : text.slice(0, end);
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  const all = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let length = 0;
  for (const piece of pieces) {
    all.set(piece, length);
    length += piece.length;
  }
  return all;
}
