import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';

/** Of the database: its header, the page size in it, and how it is written (1: with a rollback journal, 2: with a log). */
const pageSizeAt = 16;
const writtenAt = 18;
/** Of the log: its header, and that of each frame, which a page follows. */
const logHeader = 32;
const frameHeader = 24;
/** Begins a log; the last bit says that its checksums are of numbers with the highest byte first. */
const logMagic = 0x377f0682;
/** Begins a rollback journal that counts: https://sqlite.org/fileformat2.html#the_rollback_journal */
const journalMagic = Buffer.from('d9d505f920a163d7', 'hex');

/** The pages that a log has, as of the last change that is whole in it. */
interface Log {
  readonly file: number;
  readonly header: Buffer;
  /** Places in the log of the newest content of pages, by their numbers, which begin at 1. */
  readonly pages: ReadonlyMap<number, number>;
  /** Bytes of the database with them; undefined if no change is whole. */
  readonly size: number | undefined;
}

/**
 * One state of a SQLite database, with what was committed to the log beside it (`-wal`), whatever a program writes
 * meanwhile. Nothing is locked and nothing is written, not even the files that SQLite keeps beside a database in use. The
 * format: https://sqlite.org/fileformat2.html
 */
export class DatabaseSnapshot implements Disposable {
  private readonly path: string;
  private readonly file: number;
  private readonly log: Log | undefined;
  private readonly pageSize: number;
  private readonly before: string;
  /** Bytes of the database that were read last, and their place in it. */
  private readonly ahead = Buffer.alloc(131_072);
  private aheadAt = 0;
  private aheadLength = 0;

  /** @throws what the file system throws */
  constructor(path: string) {
    this.path = path;
    this.before = versionOf(path);
    this.file = openSync(path, 'r');
    this.log = logOf(path);
    this.pageSize = this.log?.size === undefined ? pageSizeOf(this.file) : this.log.header.readUInt32BE(8);
  }

  /** Bytes. */
  get size(): number {
    return this.log?.size ?? fstatSync(this.file).size;
  }

  /**
   * Reads a part of one page.
   *
   * @param place bytes from the beginning
   * @returns the number of bytes that there were
   */
  read(into: Uint8Array, place: number): number {
    const page = Math.floor(place / this.pageSize) + 1;
    const frame = this.log?.pages.get(page);
    const length =
      frame === undefined
        ? this.readAhead(into, place)
        : readSync(this.log!.file, into, 0, into.length, frame + (place % this.pageSize));
    // SQLite would look for a log itself.
    for (const at of [writtenAt, writtenAt + 1]) if (place <= at && place + length > at) into[at - place] = 1;
    return length;
  }

  /** Rows are read in the order in which they were written, mostly: what comes next is read along. */
  private readAhead(into: Uint8Array, place: number): number {
    if (place < this.aheadAt || place + into.length > this.aheadAt + this.aheadLength) {
      this.aheadAt = place;
      this.aheadLength = readSync(this.file, this.ahead, 0, this.ahead.length, place);
    }
    const from = place - this.aheadAt;
    return this.ahead.copy(into, 0, from, Math.min(from + into.length, this.aheadLength));
  }

  /**
   * False if what was read may be of two states: the database was changed meanwhile, or is in the middle of a change that
   * nothing but its journal can take back.
   */
  isWhole(): boolean {
    if (versionOf(this.path) !== this.before || isJournalled(this.path)) return false;
    if (this.log === undefined) return true;
    const header = Buffer.alloc(logHeader);
    readSync(this.log.file, header, 0, logHeader, 0);
    return header.equals(this.log.header);
  }

  [Symbol.dispose](): void {
    closeSync(this.file);
    if (this.log !== undefined) closeSync(this.log.file);
  }
}

/** A text that is another one once the database itself has changed. */
function versionOf(path: string): string {
  const { ino, size, mtimeNs } = statSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

function pageSizeOf(file: number): number {
  const bytes = Buffer.alloc(2);
  readSync(file, bytes, 0, 2, pageSizeAt);
  const size = bytes.readUInt16BE(0);
  // The largest size does not fit, and none is that of no database.
  return size === 1 ? 65_536 : size || 512;
}

function isJournalled(path: string): boolean {
  const journal = opened(`${path}-journal`);
  if (journal === undefined) return false;
  const start = Buffer.alloc(journalMagic.length);
  readSync(journal, start, 0, start.length, 0);
  closeSync(journal);
  return start.equals(journalMagic);
}

function opened(path: string): number | undefined {
  try {
    return openSync(path, 'r');
  } catch {
    return undefined;
  }
}

/** @returns nothing if there is none */
function logOf(path: string): Log | undefined {
  const file = opened(`${path}-wal`);
  if (file === undefined) return undefined;
  const header = Buffer.alloc(logHeader);
  readSync(file, header, 0, logHeader, 0);
  const pages = new Map<number, number>();
  const none: Log = { file, header, pages, size: undefined };
  const magic = header.readUInt32BE(0);
  if (magic !== logMagic && magic !== logMagic + 1) return none;
  const sum = new Checksum(magic === logMagic + 1);
  sum.add(header.subarray(0, 24));
  if (!sum.is(header, 24)) return none;
  const pageSize = header.readUInt32BE(8);
  const frame = Buffer.alloc(frameHeader + pageSize);
  const fresh = new Map<number, number>();
  let size: number | undefined;
  // Of an earlier use of the file, frames of other salts follow; what is being written has no right checksum yet.
  for (let at = logHeader; readSync(file, frame, 0, frame.length, at) === frame.length; at += frame.length) {
    if (frame.compare(header, 16, 24, 8, 16) !== 0) break;
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(frameHeader));
    if (!sum.is(frame, 16)) break;
    fresh.set(frame.readUInt32BE(0), at + frameHeader);
    // Number of pages after a change, in the frame that ends it.
    const count = frame.readUInt32BE(4);
    if (count === 0) continue;
    for (const [page, place] of fresh) pages.set(page, place);
    fresh.clear();
    size = count * pageSize;
  }
  return { ...none, size };
}

/** The running checksum of a log: https://sqlite.org/fileformat2.html#checksum_algorithm */
class Checksum {
  private readonly isBigEndian: boolean;
  private first = 0;
  private second = 0;

  constructor(isBigEndian: boolean) {
    this.isBigEndian = isBigEndian;
  }

  add(bytes: Buffer): void {
    let { first, second } = this;
    for (let at = 0; at + 8 <= bytes.length; at += 8) {
      const one = this.isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
      const other = this.isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
      first = (first + one + second) >>> 0;
      second = (second + other + first) >>> 0;
    }
    [this.first, this.second] = [first, second];
  }

  /** True if this is the checksum that stands at a place. */
  is(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.first && bytes.readUInt32BE(at + 4) === this.second;
  }
}
