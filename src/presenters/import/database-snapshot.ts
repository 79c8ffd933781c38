import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { onlyFiles } from './transcript-file.ts';

/** Offsets in the database header: page size, and write mode (1: rollback journal, 2: write-ahead log). */
const pageSizeAt = 16;
const writtenAt = 18;
/** Header sizes of the log and of each frame; a page follows each frame header. */
const logHeader = 32;
const frameHeader = 24;
/** Magic number of a log. Its last bit is set if checksums use big-endian numbers. */
const logMagic = 0x377f0682;
/** Magic number of a valid rollback journal: https://sqlite.org/fileformat2.html#the_rollback_journal */
const journalMagic = Buffer.from('d9d505f920a163d7', 'hex');

/** Pages in a log, up to the log's last complete transaction. */
interface Log {
  readonly file: number;
  readonly header: Buffer;
  /** Page number, counted from 1 → offset of the page's newest content in the log. */
  readonly pages: ReadonlyMap<number, number>;
  /** Size of the database with the pages of the log, in bytes; undefined if no transaction is complete. */
  readonly size: number | undefined;
}

/**
 * One state of an SQLite database with the committed part of its log (`-wal`), unaffected by concurrent writes. Takes
 * no locks and writes nothing. Format: https://sqlite.org/fileformat2.html
 */
export class DatabaseSnapshot implements Disposable {
  private readonly path: string;
  private readonly file: number;
  private readonly log: Log | undefined;
  private readonly pageSize: number;
  private readonly before: string;
  /** The last bytes read from the database, and their offset. */
  private readonly ahead = Buffer.alloc(131_072);
  private aheadAt = 0;
  private aheadLength = 0;

  /** @throws errors of the file system */
  constructor(path: string) {
    this.path = path;
    this.before = versionOf(path);
    this.file = openFile(path);
    this.log = logOf(path);
    this.pageSize = this.log?.size === undefined ? pageSizeOf(this.file) : this.log.header.readUInt32BE(8);
  }

  /** Size in bytes. */
  get size(): number {
    return this.log?.size ?? fstatSync(this.file).size;
  }

  /** Reads a part of one page. @param place offset in bytes @returns the number of bytes that were read */
  read(into: Uint8Array, place: number): number {
    const page = Math.floor(place / this.pageSize) + 1;
    const frame = this.log?.pages.get(page);
    const length =
      frame === undefined
        ? this.readAhead(into, place)
        : readSync(this.log!.file, into, 0, into.length, frame + (place % this.pageSize));
    // Sets the write mode to 1, so that SQLite does not look for a log.
    for (const at of [writtenAt, writtenAt + 1]) if (place <= at && place + length > at) into[at - place] = 1;
    return length;
  }

  /** Reads ahead, because rows are mostly read in the order in which they were written. */
  private readAhead(into: Uint8Array, place: number): number {
    if (place < this.aheadAt || place + into.length > this.aheadAt + this.aheadLength) {
      this.aheadAt = place;
      this.aheadLength = readSync(this.file, this.ahead, 0, this.ahead.length, place);
    }
    const from = place - this.aheadAt;
    return this.ahead.copy(into, 0, from, Math.min(from + into.length, this.aheadLength));
  }

  /** False if the reads may mix two states: the database has changed, or only its journal can restore a valid state. */
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

/** Fingerprint of the database file; it changes with every write. */
function versionOf(path: string): string {
  const { ino, size, mtimeNs } = lstatSync(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

function pageSizeOf(file: number): number {
  const bytes = Buffer.alloc(2);
  readSync(file, bytes, 0, 2, pageSizeAt);
  const size = bytes.readUInt16BE(0);
  // The largest size does not fit into two bytes and is written as 1; an empty file has size 0.
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
    return openFile(path);
  } catch {
    return undefined;
  }
}

/** @throws errors of the file system, and if the path is not a file */
function openFile(path: string): number {
  const file = openSync(path, onlyFiles);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw new Error('ENOTSUP');
}

/** @returns undefined if the database has no log */
function logOf(path: string): Log | undefined {
  const file = opened(`${path}-wal`);
  if (file === undefined) return undefined;
  const header = Buffer.alloc(logHeader);
  readSync(file, header, 0, logHeader, 0);
  const pages = new Map<number, number>();
  const none: Log = { file, header, pages, size: undefined };
  const magic = header.readUInt32BE(0);
  const pageSize = header.readUInt32BE(8);
  // Accepts only page sizes that SQLite allows. Other sizes would allocate memory for garbage.
  if (pageSize > 65_536 || pageSize < 512) return none;
  if (magic !== logMagic && magic !== logMagic + 1) return none;
  const sum = new Checksum(magic === logMagic + 1);
  sum.add(header.subarray(0, 24));
  if (!sum.is(header, 24)) return none;
  const frame = Buffer.alloc(frameHeader + pageSize);
  const fresh = new Map<number, number>();
  let size: number | undefined;
  // Frames with other salts are left from an earlier use of the file. Frames being written have no valid checksum.
  for (let at = logHeader; readSync(file, frame, 0, frame.length, at) === frame.length; at += frame.length) {
    if (frame.compare(header, 16, 24, 8, 16) !== 0) break;
    sum.add(frame.subarray(0, 8));
    sum.add(frame.subarray(frameHeader));
    if (!sum.is(frame, 16)) break;
    fresh.set(frame.readUInt32BE(0), at + frameHeader);
    // The last frame of a transaction states the number of pages after the transaction.
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

  /** True if the checksum at an offset equals this one. */
  is(bytes: Buffer, at: number): boolean {
    return bytes.readUInt32BE(at) === this.first && bytes.readUInt32BE(at + 4) === this.second;
  }
}
