import { importsSentences } from '../../language/english/imports-english.ts';
import { ImportError } from './transcript-format.ts';

/** Bounds of what is read of a file. */
export interface ReadLimits {
  /** Bytes of the longest line. */
  readonly line: number;
  /** Bytes of the largest document. It is in memory as text and as values at once. */
  readonly document: number;
  /** Bytes of the largest session of ours, which is read as a whole. */
  readonly own: number;
  /** Values of all lines together. In memory, the smallest takes some 40 bytes. */
  readonly values: number;
  /** Bytes that what is kept of all lines may take in memory. */
  readonly kept: number;
  readonly valuesInDocument: number;
}

/**
 * For what reads by itself: the server, hooks, watches and lists. A line of this size holds some four million tokens,
 * more than any context window.
 */
export const unaskedLimits: ReadLimits = {
  line: 16_000_000,
  document: 16_000_000,
  own: 16_000_000,
  values: 2_000_000,
  kept: 80_000_000,
  valuesInDocument: 1_000_000,
};

/** For what the user opens or names. */
export const openedLimits: ReadLimits = {
  line: 100_000_000,
  document: 100_000_000,
  own: Infinity,
  values: 12_500_000,
  kept: Infinity,
  valuesInDocument: 6_250_000,
};

/** For a text that its reader has in memory already. */
export const noLimits: ReadLimits = {
  line: Infinity,
  document: Infinity,
  own: Infinity,
  values: Infinity,
  kept: Infinity,
  valuesInDocument: Infinity,
};

/** A line beside its values, in values: the memory that it takes, and the time of one that is no JSON or a file of its own. */
const lineWeight = 4;
const slowWeight = 30;
/** Blank lines that take the time of one value. */
const blanksPerValue = 2;

/** Keeps files from taking more memory or time than is theirs: three characters can be a value of forty bytes. */
export class ValueLimit {
  private readonly most: number;
  private readonly mostKept: number;
  private values = 0;
  private kept = 0;
  private readonly names = new Set<string>();

  constructor({ values, kept }: Pick<ReadLimits, 'values' | 'kept'>) {
    this.most = values;
    this.mostKept = kept;
  }

  /**
   * Counts a line, before it is parsed.
   *
   * @throws {ImportError} if the lines together hold more than is read
   */
  add(line: string): void {
    this.spend(line === '' ? 1 / blanksPerValue : lineWeight + valuesIn(line));
  }

  /** @throws {ImportError} as `add` does */
  addSlow(): void {
    this.spend(slowWeight);
  }

  /**
   * Counts what is kept of a line.
   *
   * @param value of JSON, no deeper than is read
   * @throws {ImportError} if it is too much with what is kept already
   */
  keep(value: unknown): void {
    if (this.mostKept === Infinity) return;
    this.kept += bytesOf(value, this.names);
    if (this.kept <= this.mostKept) return;
    throw new ImportError(importsSentences.say('tooMuchKept', { most: inMegabytes(this.mostKept) }));
  }

  private spend(values: number): void {
    this.values += values;
    if (this.values > this.most) throw tooManyValues(this.most);
  }
}

/** Bounds the files that become one document as that document is. */
export class SharedLimit {
  readonly limits: ReadLimits;
  readonly values: ValueLimit;
  private bytes = 0;

  constructor(limits: ReadLimits) {
    this.limits = limits;
    this.values = new ValueLimit({ values: limits.valuesInDocument, kept: Infinity });
  }

  /** Counts a file, before it is read. @throws {ImportError} if all together are more than a document may be */
  addFile(bytes: number): void {
    this.values.addSlow();
    this.bytes += bytes;
    if (this.bytes > this.limits.document) throw documentTooLarge(this.limits);
  }
}

/** @throws {ImportError} if a document, which is parsed as a whole, holds more values than are read */
export function checkValues(json: string, { valuesInDocument: most }: ReadLimits): void {
  if (Number.isFinite(most) && valuesIn(json) > most) throw tooManyValues(most);
}

function tooManyValues(most: number): ImportError {
  return new ImportError(importsSentences.say('tooManyValues', { most: most.toLocaleString('en') }));
}

export function documentTooLarge({ document }: ReadLimits): ImportError {
  return new ImportError(importsSentences.say('documentTooLarge', { largest: inMegabytes(document) }));
}

/** The end of a sentence about a line. */
export function lineTooLong({ line }: ReadLimits): string {
  return `it has more than ${inMegabytes(line)} MB.`;
}

function inMegabytes(bytes: number): string {
  return String(bytes / 1_000_000);
}

/** Bytes of a value in memory, beside its characters. */
const valueBytes = 40;
/** Bytes of a field beside its value. */
const fieldBytes = 60;
/** Bytes of a name of fields: an object with other fields than all before it has a description of its own. */
const nameBytes = 240;
/** One of these makes every character of a text take two bytes. */
const wideCharacter = /[^\0-\xff]/u;

/** About the bytes that a value of JSON takes in memory. @param names of fields that were counted; gets the others */
function bytesOf(value: unknown, names: Set<string>): number {
  if (typeof value === 'string') return valueBytes + value.length * (wideCharacter.test(value) ? 2 : 1);
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = valueBytes;
  if (Array.isArray(value)) {
    for (const item of value) bytes += bytesOf(item, names);
    return bytes;
  }
  for (const [name, item] of Object.entries(value)) {
    bytes += fieldBytes + (names.has(name) ? 0 : nameBytes) + bytesOf(item, names);
    names.add(name);
  }
  return bytes;
}

const quote = 34;
const comma = 44;
const bracket = 91;
const backslash = 92;
const brace = 123;

/** Values in a JSON text, told by the marks between them. Never fewer than parsing it would make. */
function valuesIn(json: string): number {
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === comma || code === bracket || code === brace) values++;
    else if (code === quote) at = endOfString(json, at);
  }
  return values;
}

/** @returns the place of the quote that ends a string; the end of the text if none does */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = end;
    while (json.charCodeAt(escapes - 1) === backslash) escapes--;
    if ((end - Math.max(escapes, start + 1)) % 2 === 0) return end;
  }
  return json.length;
}
