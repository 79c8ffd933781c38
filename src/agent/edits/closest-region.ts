import { ellipsised } from '../../compaction/text/clip.ts';
import { type ModelText, toModel } from '../../language/sentence.ts';

/** Maximum characters of a line that a message quotes. */
const longestQuote = 160;
/** Maximum number of lines to compare, because each comparison blocks the thread for some microseconds. */
const mostLines = 100_000;
/** Maximum number of places where a line may occur. A more frequent line does not identify the region. */
const mostPlaces = 50;
/** Minimum share of common letter pairs in lines that count as similar. */
const leastLikeness = 0.5;

/**
 * Finds the place most similar to the searched lines: with the most equal lines, or a line like the longest.
 * @returns the indices of its lines
 */
export function closestRegion(
  lines: readonly string[],
  searched: readonly string[],
): { readonly start: number; readonly end: number } | undefined {
  if (lines.length > mostLines) return undefined;
  const start = startOfMostCommon(lines, searched) ?? startOfMostAlike(lines, searched);
  if (start === undefined) return undefined;
  return { start, end: Math.max(start + 1, Math.min(lines.length, start + searched.length)) };
}

/** Describes the first difference between the searched lines and the file's lines that begin at an index. */
export function differenceOf(
  lines: readonly string[],
  searched: readonly string[],
  start: number,
): ModelText {
  const index = searched.findIndex((line, offset) => lines[start + offset] !== line);
  const wanted = searched[index];
  if (wanted === undefined)
    return toModel`Those lines are the same, except that the text begins or ends elsewhere in them.`;
  const found = lines[start + index];
  const number = start + index + 1;
  if (found === undefined)
    return toModel`The file ends before line ${number}, where ${quoted(wanted)} was searched.`;
  const how = `Line ${number} is ${quoted(found)}, searched was ${quoted(wanted)}`;
  if (found.trimEnd() === wanted.trimEnd())
    return toModel`${how}: they differ in the white space at the end.`;
  if (found.trim() === wanted.trim()) {
    return toModel`Line ${number} begins with ${indentation(found)}, searched was ${indentation(wanted)}.`;
  }
  if (withoutSpace(found) === withoutSpace(wanted)) return toModel`${how}: they differ in white space only.`;
  if (plainSigns(found) === plainSigns(wanted)) {
    return toModel`${how}: they differ in signs that look alike, such as quotation marks, dashes or spaces.`;
  }
  if (found.toLowerCase() === wanted.toLowerCase()) return toModel`${how}: they differ in capital letters.`;
  return toModel`${how}.`;
}

function startOfMostCommon(lines: readonly string[], searched: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const line of searched)
    if (/\w/.test(line) || line.trim().length > 3) places.set(withoutSpace(line), []);
  for (const [index, line] of lines.entries()) places.get(withoutSpace(line))?.push(index);
  const votes = new Map<number, number>();
  for (const [offset, line] of searched.entries()) {
    const at = places.get(withoutSpace(line)) ?? [];
    if (at.length > mostPlaces) continue;
    for (const index of at) {
      const start = Math.max(0, index - offset);
      votes.set(start, (votes.get(start) ?? 0) + 1 / at.length);
    }
  }
  return highest(votes);
}

function startOfMostAlike(lines: readonly string[], searched: readonly string[]): number | undefined {
  const longest = searched.reduce((top, line) => (line.trim().length > top.trim().length ? line : top), '');
  const offset = searched.indexOf(longest);
  const wanted = pairsOf(longest);
  if (wanted.size === 0) return undefined;
  const likeness = new Map<number, number>();
  for (const [index, line] of lines.entries()) {
    const pairs = pairsOf(line);
    const common = [...pairs].filter((pair) => wanted.has(pair)).length;
    const share = (2 * common) / (pairs.size + wanted.size);
    if (share >= leastLikeness) likeness.set(Math.max(0, index - offset), share);
  }
  return highest(likeness);
}

function highest(numbers: ReadonlyMap<number, number>): number | undefined {
  let best: readonly [key: number, value: number] | undefined;
  for (const entry of numbers) if (best === undefined || entry[1] > best[1]) best = entry;
  return best?.[0];
}

/** Returns the pairs of adjacent letters without white space. Only the beginning of a long line is used. */
function pairsOf(line: string): ReadonlySet<string> {
  const plain = withoutSpace(line.slice(0, 1_000)).toLowerCase();
  return new Set(Array.from({ length: Math.max(0, plain.length - 1) }, (_, at) => plain.slice(at, at + 2)));
}

function withoutSpace(line: string): string {
  return line.replace(/\s+/g, '');
}

function plainSigns(line: string): string {
  return line
    .normalize('NFKC')
    .replace(/[‘’‚‛′]/g, "'")
    .replace(/[“”„‟″]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(/\u200b|\u200c|\u200d|\u2060|\ufeff/g, '')
    .replaceAll('…', '...');
}

function indentation(line: string): string {
  const space = /^\s*/.exec(line)?.[0] ?? '';
  if (space === '') return 'no indentation';
  const tabs = space.split('\t').length - 1;
  const spaces = space.length - tabs;
  return [counted(tabs, 'tab'), counted(spaces, 'space')].filter((part) => part !== '').join(' and ');
}

function counted(count: number, noun: string): string {
  return count === 0 ? '' : `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function quoted(line: string): string {
  return `\`${ellipsised(line, longestQuote)}\``;
}
