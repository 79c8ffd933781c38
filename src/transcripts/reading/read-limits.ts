import { importsSentences } from '../../language/imports-english.ts';
import { ImportError } from './transcript-format.ts';

/** Bytes of the longest line that is read: some four million tokens, more than any context window. */
export const longestLine = 16_000_000;
/** Bytes of the largest document that is read. It is in memory as text and as values at once. */
export const largestDocument = 16_000_000;

/** Values of all lines together, and of a document. In memory, the smallest takes some 40 bytes. */
const mostValues = 2_000_000;
const mostInDocument = 1_000_000;
/** A line beside its values, in values: the memory that it takes, and the time of one that is no JSON. */
const lineWeight = 4;
const brokenWeight = 30;
/** Blank lines that take the time of one value. */
const blanksPerValue = 2;

/** Keeps files from taking more memory or time than is theirs: three characters can be a value of forty bytes. */
export class ValueLimit {
  private values = 0;

  /**
   * Counts a line, before it is parsed.
   *
   * @throws {ImportError} if the lines together hold more than is read
   */
  add(line: string): void {
    this.spend(line === '' ? 1 / blanksPerValue : lineWeight + valuesIn(line));
  }

  /** @throws {ImportError} as `add` does */
  addBroken(): void {
    this.spend(brokenWeight);
  }

  private spend(values: number): void {
    this.values += values;
    if (this.values > mostValues) throw tooManyValues(mostValues);
  }
}

/** @throws {ImportError} if a document, which is parsed as a whole, holds more values than are read */
export function checkValues(json: string): void {
  if (valuesIn(json) > mostInDocument) throw tooManyValues(mostInDocument);
}

function tooManyValues(most: number): ImportError {
  return new ImportError(importsSentences.say('tooManyValues', { most: most.toLocaleString('en') }));
}

export function documentTooLarge(): ImportError {
  return new ImportError(importsSentences.say('documentTooLarge', { largest: inMegabytes(largestDocument) }));
}

/** The end of a sentence about a line. */
export function lineTooLong(): string {
  return `it has more than ${inMegabytes(longestLine)} MB.`;
}

function inMegabytes(bytes: number): string {
  return String(bytes / 1_000_000);
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
