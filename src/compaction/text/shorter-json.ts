import { headAndTail, middleCut } from './clip.ts';
import { parseRewritable } from './parse-json.ts';

/** Beginning of a list or an object. */
export const opensJson = /^\s*[[{]/;

/** Nesting below which a value is left as it is. */
const deepestValue = 100;
/** Entries that a list keeps at least: its first and its last. */
const fewestEntries = 2;
/** Key under which an object says how many of its entries are missing. */
const missingKey = '…';

/** Returns the text that replaces what is left out, given how much that is. */
export type Marker = (missing: number) => string;

/** Texts in place of what is left out. */
interface Markers {
  /** In the middle of a string, given the number of characters left out. */
  readonly text: Marker;
  /**
   * If given, long lists lose entries out of their middle as well, and objects do, where clipping texts is not enough:
   * what to put there, given the number of entries left out.
   */
  readonly entries?: Marker | undefined;
}

/** Amounts of a value that stay. */
interface Sizes {
  /** Characters of a string, its marker included. */
  readonly text: number;
  /** Entries of a list or an object. */
  readonly entries: number;
}

/** JSON that is written shorter, parsed once for all lengths that are tried. */
export class ShorterJson {
  private readonly json: string;
  private readonly value: unknown;
  private readonly size: Size;

  /** Undefined if a string is no JSON of several values, or is not to be written again. */
  static of(json: string): ShorterJson | undefined {
    const parsed = opensJson.test(json) ? parseRewritable(json) : undefined;
    return parsed && new ShorterJson(json, parsed.value);
  }

  private constructor(json: string, value: unknown) {
    this.json = json;
    this.value = value;
    this.size = sizeOf(value, 0);
  }

  /**
   * Shortens the JSON to a number of characters by clipping long strings in the middle. The result is JSON again, with
   * the same keys.
   *
   * @param longest characters of the JSON that is left
   * @returns undefined if what may be clipped is not what makes it long
   */
  fit(longest: number, markers: Markers): string | undefined {
    const write = (sizes: Sizes) => JSON.stringify(shortened(this.value, sizes, markers, 0));
    const lengthOf = (sizes: Sizes) =>
      this.size.hasMissingKey ? write(sizes).length : lengthWith(this.size, sizes, markers);
    const fitting = (sizes: Sizes) => (lengthOf(sizes) <= longest ? sizes : undefined);
    // Shorter than that, a string would be little but its marker.
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

/** Sizes that are tried out between the smallest and the largest. */
const mostTries = 8;

/** Output for the largest size found that fits; the smallest is tried first, as nothing else is cheap. */
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

/** The length of a value's JSON, and of what may leave it. */
interface Size {
  /** Characters of the whole. */
  readonly length: number;
  /** Of the longest string in it, and of the largest list or object. */
  readonly longestText: number;
  readonly mostEntries: number;
  /** The value, if it is a string. */
  readonly quoted?: QuotedText;
  /** Entries, if it is a list or an object, with the characters of their keys. */
  readonly entries?: readonly { readonly key: number; readonly size: Size }[];
  readonly isList?: boolean;
  /** An object has an entry of its own under the key for missing ones, which then has one value for both. */
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

/** Characters of a string between two places for which the length of its JSON is known. */
const spacing = 64;

/** A string, and the length of its JSON with less and less of it. */
class QuotedText {
  readonly length: number;
  private readonly text: string;
  /** The characters that the beginning takes in JSON, up to each place. */
  private sums: Uint32Array | undefined;

  constructor(text: string) {
    this.text = text;
    this.length = JSON.stringify(text).length;
  }

  /** The length of the JSON of `headAndTail`. */
  lengthOf(longest: number, marker: Marker): number {
    const { text, length } = this;
    const cut = middleCut(text, longest, marker);
    if (cut === undefined) return length;
    const { head, tail, middle } = cut;
    return length - (this.upTo(tail) - this.upTo(head)) + JSON.stringify(middle).length - '""'.length;
  }

  /** The characters that the beginning of the string takes in JSON. */
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

/** Characters that each ASCII character takes in JSON. */
const quotedLengths = Uint8Array.from(
  { length: 128 },
  (_, code) => JSON.stringify(String.fromCharCode(code)).length - '""'.length,
);

/** The same for a UTF-16 unit of a string: ECMAScript, QuoteJSONString. */
function quotedLength(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code < 128) return quotedLengths[code]!;
  if (code < 0xd800 || code > 0xdfff) return 1;
  const isHigh = code < 0xdc00;
  const other = text.charCodeAt(isHigh ? index + 1 : index - 1);
  return (isHigh ? other >= 0xdc00 && other <= 0xdfff : other >= 0xd800 && other <= 0xdbff) ? 1 : 6;
}

/** The quoted key and its colon. */
function keyLength(key: string): number {
  return JSON.stringify(key).length + 1;
}

function bracketsAndCommas(entries: number): number {
  return 2 + Math.max(0, entries - 1);
}

/** Length of the JSON of what `shortened` returns. */
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

/** Places up to which and from which on entries stay, and the number of those between them. */
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

/** The first and the last entries, around what says how many are missing. */
function withoutMiddle<Entry>(
  entries: readonly Entry[],
  most: number,
  note: (missing: number) => Entry,
): readonly Entry[] {
  const { head, tail, missing } = keptOf(entries.length, most);
  return missing === 0 ? entries : [...entries.slice(0, head), note(missing), ...entries.slice(tail)];
}
