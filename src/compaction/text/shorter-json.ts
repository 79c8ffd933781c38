import { headAndTail, middleCut } from './clip.ts';
import { parseRewritable } from './parse-json.ts';

export const opensJson = /^\s*[[{]/;

const deepestValue = 100;
/** Minimum number of entries of a shortened list: the first and the last entry. */
const fewestEntries = 2;
/** Key of the object entry that counts missing entries. */
const missingKey = '…';

/** Writes the replacement for omitted text or entries, given the number of characters or entries. */
export type Marker = (missing: number) => string;

interface Markers {
  readonly text: Marker;
  /** Replacement for omitted entries of lists and objects. Without it, only strings are clipped. */
  readonly entries?: Marker | undefined;
}

interface Sizes {
  readonly text: number;
  readonly entries: number;
}

/** JSON that can be written at several lengths, parsed once. */
export class ShorterJson {
  private readonly json: string;
  private readonly value: unknown;
  private readonly size: Size;

  /** @returns undefined if a string is not JSON with several values, or would change when written */
  static of(json: string): ShorterJson | undefined {
    const parsed = opensJson.test(json) ? parseRewritable(json) : undefined;
    return parsed && new ShorterJson(json, parsed.value);
  }

  private constructor(json: string, value: unknown) {
    this.json = json;
    this.value = value;
    this.size = sizeOf(value, 0);
  }

  /** Shortens the JSON to a number of characters; undefined if clipping is not enough. */
  fit(longest: number, markers: Markers): string | undefined {
    const write = (sizes: Sizes) => JSON.stringify(shortened(this.value, sizes, markers, 0));
    const lengthOf = (sizes: Sizes) =>
      this.size.hasMissingKey ? write(sizes).length : lengthWith(this.size, sizes, markers);
    const fitting = (sizes: Sizes) => (lengthOf(sizes) <= longest ? sizes : undefined);
    // A shorter string would be little more than its marker.
    const shortest = 2 * markers.text(this.json.length).length;
    const whole = largestThatFits(shortest, longest, (text) => fitting({ text, entries: Infinity }));
    if (whole !== undefined) return write(whole);
    if (markers.entries === undefined) return undefined;
    for (let text = Math.floor(longest / 4); ; text = Math.floor(text / 2)) {
      const kept = Math.max(shortest, text);
      const sizes = largestThatFits(fewestEntries, longest, (entries) => fitting({ text: kept, entries }));
      if (sizes !== undefined) return write(sizes);
      if (text <= shortest) return undefined;
    }
  }
}

const mostTries = 8;

/** Finds output for the largest size that fits. Tries the smallest size first, because it costs the least. */
export function largestThatFits<Output>(
  smallest: number,
  largest: number,
  write: (size: number) => Output | undefined,
): Output | undefined {
  let fitted = smallest <= largest ? write(smallest) : undefined;
  let [fits, tooLarge] = [smallest, largest + 1];
  for (let tries = 0; fitted !== undefined && tries < mostTries && tooLarge - fits > 1; tries++) {
    const size = Math.floor((fits + tooLarge) / 2);
    const larger = write(size);
    if (larger === undefined) tooLarge = size;
    else [fitted, fits] = [larger, size];
  }
  return fitted;
}

/** Length of a value's JSON and of its removable parts. */
interface Size {
  readonly length: number;
  /** Length of the longest string in the value, and number of entries of its largest list or object. */
  readonly longestText: number;
  readonly mostEntries: number;
  readonly quoted?: QuotedText;
  /** Entries of a list or an object, with the length of their keys. */
  readonly entries?: readonly { readonly key: number; readonly size: Size }[];
  readonly isList?: boolean;
  /** True if an object already uses the key for missing entries. The key can then have only one of two values. */
  readonly hasMissingKey: boolean;
}

function sizeOf(value: unknown, depth: number): Size {
  if (typeof value === 'string') {
    const quoted = new QuotedText(value);
    const longestText = value.length;
    return { length: quoted.length, longestText, mostEntries: 0, hasMissingKey: false, quoted };
  }
  if (typeof value !== 'object' || value === null || depth >= deepestValue) {
    const { length } = JSON.stringify(value);
    return { length, longestText: 0, mostEntries: 0, hasMissingKey: false };
  }
  const isList = Array.isArray(value);
  const entries = Object.entries(value).map(([key, entry]) => ({
    key: isList ? 0 : keyLength(key),
    size: sizeOf(entry, depth + 1),
  }));
  let length = bracketsAndCommas(entries.length);
  let longestText = 0;
  let mostEntries = entries.length;
  let hasMissingKey = !isList && Object.hasOwn(value, missingKey);
  for (const { key, size } of entries) {
    length += key + size.length;
    longestText = Math.max(longestText, size.longestText);
    mostEntries = Math.max(mostEntries, size.mostEntries);
    hasMissingKey ||= size.hasMissingKey;
  }
  return { length, longestText, mostEntries, hasMissingKey, entries, isList };
}

const spacing = 64;

/** A string whose length as shortened JSON can be computed without writing the JSON. */
class QuotedText {
  readonly length: number;
  private readonly text: string;
  /** Length of the beginning as JSON, up to each multiple of `spacing`. */
  private sums: Uint32Array | undefined;

  constructor(text: string) {
    this.text = text;
    this.length = JSON.stringify(text).length;
  }

  lengthOf(longest: number, marker: Marker): number {
    const { text, length } = this;
    const cut = middleCut(text, longest, marker);
    if (cut === undefined) return length;
    const { head, tail, middle } = cut;
    return length - (this.upTo(tail) - this.upTo(head)) + JSON.stringify(middle).length - '""'.length;
  }

  private upTo(end: number): number {
    const { text } = this;
    const sums = (this.sums ??= this.sumUp());
    const place = Math.floor(end / spacing);
    let sum = sums[place]!;
    for (let index = place * spacing; index < end; index++) sum += quotedLength(text, index);
    return sum;
  }

  private sumUp(): Uint32Array {
    const { text } = this;
    const sums = new Uint32Array(Math.floor(text.length / spacing) + 1);
    let sum = 0;
    for (let index = 0; index < text.length; index++) {
      if (index % spacing === 0) sums[index / spacing] = sum;
      sum += quotedLength(text, index);
    }
    if (text.length % spacing === 0) sums[text.length / spacing] = sum;
    return sums;
  }
}

const quotedLengths = Uint8Array.from(
  { length: 128 },
  (_, code) => JSON.stringify(String.fromCharCode(code)).length - '""'.length,
);

/** Returns the length of a UTF-16 unit in JSON (ECMAScript, QuoteJSONString). */
function quotedLength(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 128) return quotedLengths[code]!;
  if (code < 0xd800 || code > 0xdfff) return 1;
  const isHigh = code < 0xdc00;
  const other = text.charCodeAt(isHigh ? index + 1 : index - 1);
  return (isHigh ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other <= 0xdbff) ? 1 : 6;
}

function keyLength(key: string): number {
  return JSON.stringify(key).length + 1;
}

function bracketsAndCommas(entries: number): number {
  return 2 + Math.max(0, entries - 1);
}

function lengthWith(size: Size, sizes: Sizes, markers: Markers): number {
  const { length, longestText, mostEntries, quoted, entries } = size;
  if (longestText <= sizes.text && mostEntries <= sizes.entries) return length;
  if (quoted !== undefined) return quoted.lengthOf(sizes.text, markers.text);
  if (entries === undefined) return length;
  const { head, tail, missing } = keptOf(entries.length, sizes.entries);
  let total = bracketsAndCommas(head + (missing > 0 ? 1 : 0) + entries.length - tail);
  for (const [index, { key, size: inner }] of entries.entries()) {
    if (index < head || index >= tail) total += key + lengthWith(inner, sizes, markers);
  }
  if (missing === 0) return total;
  const note = headAndTail(markers.entries?.(missing) ?? '', sizes.text, markers.text);
  return total + (size.isList === true ? 0 : keyLength(missingKey)) + JSON.stringify(note).length;
}

/** Returns the index after the kept beginning, the index of the kept end, and the number of entries between them. */
function keptOf(entries: number, most: number) {
  if (entries <= most) return { head: entries, tail: entries, missing: 0 };
  return { head: Math.ceil(most / 2), tail: entries - Math.floor(most / 2), missing: entries - most };
}

function shortened(value: unknown, sizes: Sizes, markers: Markers, depth: number): unknown {
  if (typeof value === 'string') return headAndTail(value, sizes.text, markers.text);
  if (typeof value !== 'object' || value === null || depth >= deepestValue) return value;
  const inner = (entry: unknown) => shortened(entry, sizes, markers, depth + 1);
  if (Array.isArray(value)) {
    return withoutMiddle<unknown>(value, sizes.entries, (missing) => markers.entries?.(missing)).map(inner);
  }
  const entries = Object.entries(value);
  const kept = withoutMiddle<[string, unknown]>(entries, sizes.entries, (missing) => [
    missingKey,
    markers.entries?.(missing),
  ]);
  return Object.fromEntries(kept.map(([key, entry]) => [key, inner(entry)]));
}

/** Returns the first and the last entries, around a note with the number of missing entries. */
function withoutMiddle<Entry>(
  entries: readonly Entry[],
  most: number,
  note: (missing: number) => Entry,
): readonly Entry[] {
  const { head, tail, missing } = keptOf(entries.length, most);
  return missing === 0 ? entries : [...entries.slice(0, head), note(missing), ...entries.slice(tail)];
}
