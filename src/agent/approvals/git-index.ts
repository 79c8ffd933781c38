import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';

/** Maximum size of an index, in bytes; 200,000 files take about 25 MB. */
const largestIndex = 50_000_000;
/** Size of an entry before its name, in bytes, in format version 2: times, numbers, SHA-1 of the content, flags. */
const entryHead = 62;
const checksumSize = 20;
const submodule = 0o160000;

interface GitIndex {
  readonly files: readonly string[];
  /** Folders with a separate repository, whose files are in that repository's index. */
  readonly submodules: readonly string[];
}

/** Reads a git index of version 2 to 4; undefined if it may be incomplete, damaged, split or sparse. */
export function readIndex(file: string): GitIndex | undefined {
  try {
    const { size } = statSync(file);
    return size > largestIndex ? undefined : entriesOf(readFileSync(file));
  } catch {
    return undefined;
  }
}

/** Returns all paths that git tracks; undefined if the index may be incomplete or there are submodules. */
export function trackedPaths(file: string): readonly string[] | undefined {
  const index = readIndex(file);
  return index?.submodules.length === 0 ? index.files : undefined;
}

/** @throws {RangeError} if the index ends within an entry */
function entriesOf(index: Buffer): GitIndex | undefined {
  const end = index.length - checksumSize;
  const isWhole =
    end >= 12 &&
    index.toString('latin1', 0, 4) === 'DIRC' &&
    createHash('sha1').update(index.subarray(0, end)).digest().equals(index.subarray(end));
  const version = isWhole ? index.readUInt32BE(4) : 0;
  if (version < 2 || version > 4) return undefined;
  const files: string[] = [];
  const submodules: string[] = [];
  let at = 12;
  let name = Buffer.alloc(0);
  for (let left = index.readUInt32BE(8); left > 0; left--) {
    if (at + entryHead > end) return undefined;
    const paths = index.readUInt32BE(at + 24) === submodule ? submodules : files;
    const isExtended = (index.readUInt16BE(at + 60) & 0x4000) !== 0;
    let nameAt = at + entryHead + (isExtended ? 2 : 0);
    let kept = 0;
    if (version === 4) {
      const dropped = readVariable(index, nameAt);
      nameAt = dropped.next;
      kept = name.length - dropped.value;
    }
    const nameEnd = index.indexOf(0, nameAt);
    if (kept < 0 || nameEnd < 0 || nameEnd >= end) return undefined;
    name = Buffer.concat([name.subarray(0, kept), index.subarray(nameAt, nameEnd)]);
    paths.push(name.toString('utf8'));
    // Earlier versions pad entries to a multiple of eight bytes, with at least one NUL.
    at = version === 4 ? nameEnd + 1 : at + (Math.floor((nameEnd - at) / 8) + 1) * 8;
  }
  return hasOnlyOptionalExtensions(index, at, end) ? { files, submodules } : undefined;
}

function readVariable(index: Buffer, from: number): { readonly value: number; readonly next: number } {
  let at = from;
  let byte = index.readUInt8(at++);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    byte = index.readUInt8(at++);
    value = (value + 1) * 128 + (byte & 0x7f);
  }
  return { value, next: at };
}

/** True unless an extension has a lower-case first letter, which means that it changes the meaning of the entries. */
function hasOnlyOptionalExtensions(index: Buffer, from: number, end: number): boolean {
  let at = from;
  while (at + 8 <= end) {
    if (!/^[A-Z]/.test(index.toString('latin1', at, at + 4))) return false;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return at === end;
}
