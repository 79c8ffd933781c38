import { importsSentences } from '../../language/english/imports-english.ts';
import { ImportError } from './transcript-format.ts';

export interface ReadLimits {
  /** Maximum bytes of a line. */
  readonly line: number;
  /** Maximum bytes of a document, which is held in memory both as text and as values. */
  readonly document: number;
  /** Maximum bytes of one of our own sessions, which are read whole. */
  readonly own: number;
  /** Maximum number of values of all lines together. A value takes at least about 40 bytes of memory. */
  readonly values: number;
  /** Maximum bytes of memory for all kept data. */
  readonly kept: number;
  readonly valuesInDocument: number;
}

/**
 * Limits for files that are read automatically by the server, hooks, watches and lists. A line of this size has about
 * four million tokens, more than any context window.
 */
export const unaskedLimits: ReadLimits = {
  line: 16_000_000,
  document: 16_000_000,
  own: 16_000_000,
  values: 2_000_000,
  kept: 80_000_000,
  valuesInDocument: 1_000_000,
};

/** Limits for files that the user opens or names. */
export const openedLimits: ReadLimits = {
  line: 100_000_000,
  document: 100_000_000,
  own: Infinity,
  values: 12_500_000,
  kept: Infinity,
  valuesInDocument: 6_250_000,
};

/** Limits for a text that the caller already has in memory. */
export const noLimits: ReadLimits = {
  line: Infinity,
  document: Infinity,
  own: Infinity,
  values: Infinity,
  kept: Infinity,
  valuesInDocument: Infinity,
};

/** Cost of a line in addition to its values, counted in values: for its memory, and for the time if it is not JSON. */
const lineWeight = 4;
const slowWeight = 30;
/** Number of blank lines that cost as much as one value. */
const blanksPerValue = 2;

/** Limits the memory and time for a file, because three characters can become a value of forty bytes. */
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
   * Counts a line before it is parsed.
   *
   * @throws {ImportError} if all lines together exceed the limit
   */
  add(line: string): void {
    this.spend(line === '' ? 1 / blanksPerValue : lineWeight + valuesIn(line));
  }

  /** @throws {ImportError} like `add` */
  addSlow(): void {
    this.spend(slowWeight);
  }

  /**
   * Counts the kept part of a line.
   *
   * @param value JSON value within the maximum depth
   * @throws {ImportError} if all kept data exceeds the limit
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

/** Limits several files that become one document as if they were one file. */
export class SharedLimit {
  readonly limits: ReadLimits;
  readonly values: ValueLimit;
  private bytes = 0;

  constructor(limits: ReadLimits) {
    this.limits = limits;
    this.values = new ValueLimit({ values: limits.valuesInDocument, kept: Infinity });
  }

  /** Counts a file before it is read. @throws {ImportError} if all files together exceed the limit of a document */
  addFile(bytes: number): void {
    this.values.addSlow();
    this.bytes += bytes;
    if (this.bytes > this.limits.document) throw documentTooLarge(this.limits);
  }
}

/** @throws {ImportError} if a document, which is parsed as a whole, exceeds the limit on values */
export function checkValues(json: string, { valuesInDocument: most }: ReadLimits): void {
  if (Number.isFinite(most) && valuesIn(json) > most) throw tooManyValues(most);
}

function tooManyValues(most: number): ImportError {
  return new ImportError(importsSentences.say('tooManyValues', { most: most.toLocaleString('en') }));
}

export function documentTooLarge({ document }: ReadLimits): ImportError {
  return new ImportError(importsSentences.say('documentTooLarge', { largest: inMegabytes(document) }));
}

/** Returns the end of a sentence about a line that is too long. */
export function lineTooLong({ line }: ReadLimits): string {
  return `it has more than ${inMegabytes(line)} MB.`;
}

function inMegabytes(bytes: number): string {
  return String(bytes / 1_000_000);
}

/** Bytes of a value in memory, without its characters. */
const valueBytes = 40;
/** Bytes of a field, without its value. */
const fieldBytes = 60;
/** Bytes of a new field name, because an object with new fields needs a separate description in memory. */
const nameBytes = 240;
/** Matches a character that makes every character of its string take two bytes. */
const wideCharacter = /[^\0-\xff]/u;

/** Estimates the bytes of a JSON value in memory. @param names field names already counted; new names are added */
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

/** Estimates the number of values in a JSON text from its punctuation. The estimate is never too low. */
function valuesIn(json: string): number {
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === comma || code === bracket || code === brace) values++;
    else if (code === quote) at = endOfString(json, at);
  }
  return values;
}

/** @returns the position of the quote that ends a string, or the end of the text */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let escapes = end;
    while (json.charCodeAt(escapes - 1) === backslash) escapes--;
    if ((end - Math.max(escapes, start + 1)) % 2 === 0) return end;
  }
  return json.length;
}
