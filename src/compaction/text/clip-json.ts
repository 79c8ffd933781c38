import { headAndTail } from './clip.ts';
import { isJson, parseRewritable } from './parse-json.ts';
import { clipMarker, entriesMarker } from './placeholder.ts';

/**
 * The text of a message as head and tail around a marker that says how to get it back. What was JSON is JSON
 * afterwards: long texts in it are clipped, then entries leave the middle of lists and objects.
 *
 * @param longest characters of the text that is left, its markers included
 * @param id of the message
 */
export function clipText(text: string, longest: number, id: string): string {
  return text.length <= longest
    ? text
    : (clipJson(text, longest, id) ?? headAndTail(text, longest, clipMarker(id)));
}

/**
 * The same for a string that may be JSON.
 *
 * @returns undefined if it is none, or there is no room for any
 */
export function clipJson(text: string, longest: number, id: string): string | undefined {
  const marker = clipMarker(id);
  const fitted = fitJson(text, longest, marker, entriesMarker(id));
  if (fitted !== undefined || !/^\s*[[{]/.test(text) || !isJson(text)) return fitted;
  const wrapped = wrapJson(text, longest, marker);
  return wrapped.length <= longest && wrapped.includes('recall(') ? wrapped : undefined;
}

/** Nesting below which a value is left as it is. */
const deepestValue = 100;
/** Entries that a list keeps at least: its first and its last. */
const fewestEntries = 2;
/** Sizes that are tried out between the smallest and the largest. */
const mostTries = 8;

/** Returns the text that replaces what is left out, given how much that is. */
type Marker = (missing: number) => string;

/** Amounts of a value that stay. */
interface Sizes {
  /** Characters of a string, its marker included. */
  readonly text: number;
  /** Entries of a list or an object. */
  readonly entries: number;
}

/**
 * Shortens JSON to a number of characters by clipping long strings in the middle. The result is JSON again, with
 * the same keys.
 *
 * @param longest characters of the JSON that is left
 * @param marker what to put into the middle of a string, given the number of characters left out
 * @param entriesMarker if given, long lists lose entries out of their middle as well, and objects do, where clipping
 *   texts is not enough: what to put there, given the number of entries left out
 * @returns undefined if it is not JSON, or what may be clipped is not what makes it long
 */
export function fitJson(
  json: string,
  longest: number,
  marker: Marker,
  entriesMarker?: Marker,
): string | undefined {
  if (!/^\s*[[{]/.test(json)) return undefined;
  const parsed = parseRewritable(json);
  if (parsed === undefined) return undefined;
  const write = (sizes: Sizes): string | undefined => {
    const fitted = JSON.stringify(shortened(parsed.value, sizes, marker, entriesMarker, 0));
    return fitted.length <= longest ? fitted : undefined;
  };
  // Shorter than that, a string would be little but its marker.
  const shortest = 2 * marker(json.length).length;
  const whole = largestThatFits(shortest, longest, (text) => write({ text, entries: Infinity }));
  if (whole !== undefined || entriesMarker === undefined) return whole;
  for (let text = Math.floor(longest / 4); ; text = Math.floor(text / 2)) {
    const sizes = { text: Math.max(shortest, text) };
    const fitted = largestThatFits(fewestEntries, longest, (entries) => write({ ...sizes, entries }));
    if (fitted !== undefined || text <= shortest) return fitted;
  }
}

/**
 * JSON that is long for whatever reason, as one text within JSON.
 *
 * @param longest characters of the JSON that is left
 * @param marker what to put into the middle of the text, given the number of characters left out
 */
export function wrapJson(json: string, longest: number, marker: Marker): string {
  const wrap = (text: string) => JSON.stringify({ clipped: text });
  // How much longer a string becomes that is escaped depends on what is left of it.
  const wrapped = largestThatFits(0, longest, (room) => {
    const shorter = wrap(headAndTail(json, room, marker));
    return shorter.length <= longest ? shorter : undefined;
  });
  return wrapped ?? wrap('');
}

/** Output for the largest size found that fits; the smallest is tried first, as nothing else is cheap. */
function largestThatFits(
  smallest: number,
  largest: number,
  write: (size: number) => string | undefined,
): string | undefined {
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

function shortened(
  value: unknown,
  sizes: Sizes,
  marker: Marker,
  entriesMarker: Marker | undefined,
  depth: number,
): unknown {
  if (typeof value === 'string') return headAndTail(value, sizes.text, marker);
  if (typeof value !== 'object' || value === null || depth >= deepestValue) return value;
  const inner = (entry: unknown) => shortened(entry, sizes, marker, entriesMarker, depth + 1);
  if (Array.isArray(value)) {
    return withoutMiddle<unknown>(value, sizes.entries, (missing) => entriesMarker?.(missing)).map(inner);
  }
  const entries = Object.entries(value);
  const kept = withoutMiddle<[string, unknown]>(entries, sizes.entries, (missing) => [
    '…',
    entriesMarker?.(missing),
  ]);
  return Object.fromEntries(kept.map(([key, entry]) => [key, inner(entry)]));
}

/** The first and the last entries, around what says how many are missing. */
function withoutMiddle<Entry>(
  entries: readonly Entry[],
  most: number,
  note: (missing: number) => Entry,
): readonly Entry[] {
  if (entries.length <= most) return entries;
  const head = entries.slice(0, Math.ceil(most / 2));
  const tail = entries.slice(entries.length - Math.floor(most / 2));
  return [...head, note(entries.length - most), ...tail];
}

/** Nesting below which arguments are left as they are. */
const deepestArguments = 8;

/**
 * Clips long strings in the arguments of a call. The result is JSON again, with the same keys.
 *
 * @param json arguments as the model wrote them
 * @param longest characters that a string may keep, its marker included
 * @param keeps true if the value of this key must not be clipped
 * @returns undefined if the arguments are not JSON or contain no string that long
 */
export function clipArguments(
  json: string,
  longest: number,
  keeps: (key: string) => boolean = () => false,
): string | undefined {
  if (json.length <= longest) return undefined;
  const parsed = parseRewritable(json);
  if (parsed === undefined) return undefined;
  const clipped = JSON.stringify(clipValue(parsed.value, longest, keeps, 0));
  return clipped.length < json.length ? clipped : undefined;
}

function clipValue(value: unknown, longest: number, keeps: (key: string) => boolean, depth: number): unknown {
  if (typeof value === 'string') return headAndTail(value, longest);
  if (typeof value !== 'object' || value === null || depth >= deepestArguments) return value;
  if (Array.isArray(value)) return value.map((entry) => clipValue(entry, longest, keeps, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [
      key,
      keeps(key) ? entry : clipValue(entry, longest, keeps, depth + 1),
    ]),
  );
}
