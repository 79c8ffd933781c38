import { finishImport, formatOf, type ImportedTranscript, importTranscript } from './import-transcript.ts';
import { EventLineReader } from './reading/json-document.ts';
import type { LineReading } from './reading/transcript-format.ts';

// Every program that runs JavaScript has these two; the types of this layer name neither a browser nor Node.
declare const TextDecoder: new (
  label?: string,
  options?: { readonly ignoreBOM?: boolean },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

/** A session's file that its agent goes on writing. */
export interface FollowedTranscript {
  /** Takes what was added to the end of the file. Pieces may end anywhere, even within a character. */
  append(added: Uint8Array | string): void;
  /** Forgets what was read: the file was cut, or another one took its place. */
  reset(): void;
  /**
   * Content of the file so far: the same as `importTranscript` gives for it, except that the last line of JSON lines
   * does not count before it is whole. The same object until something is added.
   *
   * @throws {ImportError} as `importTranscript` does
   */
  read(): ImportedTranscript;
}

/**
 * Follows a file. Of JSON lines each line is parsed once, when it has ended; any other file is read from its beginning
 * every time. Once a file was read as lines of a format, it is in that format until a reset.
 *
 * @param format the id of a format, or `auto`
 */
export function followTranscript(format = 'auto'): FollowedTranscript {
  let beginning = new UnknownFile(format);
  let lines: KnownLines | undefined;
  let imported: ImportedTranscript | undefined;
  return {
    append: (added) => {
      const bytes = typeof added === 'string' ? new TextEncoder().encode(added) : added;
      if (bytes.length === 0) return;
      imported = undefined;
      (lines ?? beginning).append(bytes);
    },
    reset: () => {
      beginning = new UnknownFile(format);
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

/** A file that is no JSON lines of a known format, or has too little in it to tell. */
class UnknownFile {
  private readonly format: string;
  private bytes: Uint8Array = new Uint8Array();

  constructor(format: string) {
    this.format = format;
  }

  append(added: Uint8Array): void {
    this.bytes = joined([this.bytes, added]);
  }

  /** The same file as lines of its format; undefined if it is not known to be such lines. */
  asLines(): KnownLines | undefined {
    const text = this.text();
    const chosen = formatOf(text, this.format);
    if (chosen?.lines?.fits(text) !== true) return undefined;
    // A line that was begun does not tell what the file is.
    const end = text.lastIndexOf('\n') + 1;
    if (end === 0 || formatOf(text.slice(0, end), this.format) !== chosen) return undefined;
    const lines = new KnownLines(chosen.id, chosen.lines);
    lines.addText(text.slice(0, end));
    lines.append(this.bytes.subarray(this.bytes.lastIndexOf(lineFeed) + 1));
    return lines;
  }

  read(): ImportedTranscript {
    const text = this.text();
    const isLines = formatOf(text, this.format)?.lines?.fits(text) === true;
    return importTranscript(isLines ? wholeLines(text) : text, this.format);
  }

  private text(): string {
    return new TextDecoder().decode(this.bytes);
  }
}

/** JSON lines of a format. Their parsed values are kept, not their text. */
class KnownLines {
  private readonly format: string;
  private readonly reading: LineReading;
  private readonly reader = new EventLineReader();
  /** A mark at the beginning of a line that is not the first of the file belongs to it. */
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  /** Bytes of the last line, which has not ended. */
  private rest: Uint8Array[] = [];

  constructor(format: string, reading: LineReading) {
    this.format = format;
    this.reading = reading;
  }

  append(added: Uint8Array): void {
    const end = added.lastIndexOf(lineFeed) + 1;
    if (end > 0) {
      this.addText(this.decoder.decode(joined([...this.rest, added.subarray(0, end)])));
      this.rest = [];
    }
    // A copy: the caller may use its buffer again.
    if (end < added.length) this.rest.push(added.slice(end));
  }

  /** @param text of whole lines */
  addText(text: string): void {
    for (const line of text.slice(0, -1).split('\n')) this.reader.add(line);
  }

  read(): ImportedTranscript {
    const rest = this.decoder.decode(joined(this.rest));
    return finishImport(this.format, this.reading.read(this.reader.including(rest)));
  }
}

/** The text without a last line that is not whole: one without a line feed that is no JSON. */
export function wholeLines(text: string): string {
  const end = text.lastIndexOf('\n') + 1;
  const reader = new EventLineReader();
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
