import { countMergedTokens, parseRankTable, type RankFile } from './byte-pair.ts';

export const encodingNames = ['o200k_base', 'cl100k_base'] as const;
export type EncodingName = (typeof encodingNames)[number];

const loading = new Map<EncodingName, Promise<CountTokens>>();

/**
 * Loads an encoding's ranks, once. They are one to two megabytes of JavaScript and building the table blocks for
 * about a fifth of a second, so nothing loads them before the first text is counted.
 */
export function loadEncoding(name: EncodingName): Promise<CountTokens> {
  const loaded = loading.get(name) ?? load(name);
  loading.set(name, loaded);
  return loaded;
}

async function load(name: EncodingName): Promise<CountTokens> {
  const file =
    name === 'o200k_base'
      ? await import('js-tiktoken/ranks/o200k_base')
      : await import('js-tiktoken/ranks/cl100k_base');
  return createTokenCounter(file.default);
}

/** Counts the tokens of a string exactly as js-tiktoken's `encode(text, [], [])` would make them. */
export type CountTokens = (text: string) => number;

/** Longest piece, in UTF-16 units, whose count is remembered. Longer ones hardly ever come a second time. */
const longestRemembered = 64;
/** Pieces remembered in each of the two generations of the cache. */
const generationSize = 32_768;
/**
 * V8's regular expressions run out of stack on a run of several million letters; longer texts are split in
 * slices of this many UTF-16 units, at a space if there is one. Only a slice's edge inside such a run can
 * make the count differ, by a token or two.
 */
const longestScanned = 1_000_000;

/**
 * Makes an exact counter for an encoding. Special tokens (`<|endoftext|>`) are counted as the ordinary text they
 * are in a message, and never throw.
 */
export function createTokenCounter(file: RankFile): CountTokens {
  const table = parseRankTable(file);
  const pattern = new RegExp(file.pat_str, 'ug');
  const cache = new PieceCache();

  const countPiece = (piece: string): number => {
    if (piece.length > longestRemembered) return countMergedTokens(utf8BytesOf(piece), table);
    const known = cache.get(piece);
    if (known !== undefined) return known;
    const count = countMergedTokens(utf8BytesOf(piece), table);
    cache.set(piece, count);
    return count;
  };

  return (text) => {
    let count = 0;
    for (let start = 0; start < text.length;) {
      const end = endOfSlice(text, start);
      const slice = start === 0 && end === text.length ? text : text.slice(start, end);
      for (const match of slice.matchAll(pattern)) count += countPiece(match[0]);
      start = end;
    }
    return count;
  };
}

function endOfSlice(text: string, start: number): number {
  const limit = start + longestScanned;
  if (limit >= text.length) return text.length;
  const space = text.lastIndexOf(' ', limit);
  if (space > start) return space;
  // Not between the two halves of a character.
  const code = text.charCodeAt(limit);
  return code >= 0xdc00 && code <= 0xdfff ? limit - 1 : limit;
}

/**
 * Two generations of counts: when the young one is full it becomes the old one and the old one is forgotten, so the
 * cache is bounded and what is used again survives.
 */
class PieceCache {
  private young = new Map<string, number>();
  private old = new Map<string, number>();

  get(piece: string): number | undefined {
    const count = this.young.get(piece);
    if (count !== undefined) return count;
    const aged = this.old.get(piece);
    if (aged !== undefined) this.set(piece, aged);
    return aged;
  }

  set(piece: string, count: number): void {
    if (this.young.size >= generationSize) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(ownCopy(piece), count);
  }
}

/** A string of its own: a slice of 13 units or more would keep the whole text it was cut from in memory. */
function ownCopy(piece: string): string {
  if (piece.length < 13) return piece;
  const units = new Array<number>(piece.length);
  for (let index = 0; index < piece.length; index++) units[index] = piece.charCodeAt(index);
  return String.fromCharCode(...units);
}

/**
 * The UTF-8 bytes of a string as a string of one UTF-16 unit per byte. A lone surrogate becomes U+FFFD, as
 * `TextEncoder` has it; the engine does not use `TextEncoder`, which belongs to the platforms.
 */
function utf8BytesOf(text: string): string {
  let bytes = '';
  for (let index = 0; index < text.length; index++) {
    let code = text.charCodeAt(index);
    if (code < 0x80) {
      bytes += text.charAt(index);
      continue;
    }
    if (code >= 0xd800 && code <= 0xdfff) {
      const next = text.charCodeAt(index + 1);
      if (code < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00);
        index++;
      } else code = 0xfffd;
    }
    if (code < 0x800) bytes += String.fromCharCode(0xc0 | (code >> 6), continuation(code));
    else if (code < 0x10000) {
      bytes += String.fromCharCode(0xe0 | (code >> 12), continuation(code >> 6), continuation(code));
    } else {
      bytes += String.fromCharCode(
        0xf0 | (code >> 18),
        continuation(code >> 12),
        continuation(code >> 6),
        continuation(code),
      );
    }
  }
  return bytes;
}

function continuation(code: number): number {
  return 0x80 | (code & 0x3f);
}
