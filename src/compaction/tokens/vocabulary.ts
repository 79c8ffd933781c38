import { mergeRuns } from './byte-runs.ts';
import { ByteStrings, hashOf, type StringTables } from './byte-strings.ts';
import { mergeQueued, mostQueued } from './merge-queue.ts';
import { SplitPoints, wideLead } from './split-points.ts';
import { type PairTables, TokenPairs } from './token-pairs.ts';
import { mostBytesPerUnit, writeUtf8 } from './utf8.ts';

export interface RankFile {
  /** The split pattern, for `new RegExp(pat_str, 'ug')`. */
  readonly pat_str: string;
  /** Lines of `! offset token token …`; tokens are base64 and ranked upwards from the offset. */
  readonly bpe_ranks: string;
}

/** The vocabulary in the form that the build puts into bundles. */
export interface MergeFile {
  readonly pat_str: string;
  readonly size: number;
  /** Single-byte tokens as hexadecimal digits. They have the lowest ranks. */
  readonly bytes: string;
  /**
   * Ranks of the two halves of each further token, in three base64 digits each. Digits are grouped by place for better
   * compression: the lowest digits of the left tokens, then the middle and the highest digits, then the digits of the
   * right tokens. As a string, or as its bytes.
   */
  readonly merges: string | Uint8Array;
  /** Split points, as `SplitPoints` writes them. */
  readonly splits: string;
}

export interface VocabularyTables {
  readonly strings: StringTables;
  readonly pairs: PairTables;
  readonly splitPoints: Int32Array;
}

/** The merges of an encoding, and its tokens by their bytes. Tokens are numbered by rank. */
export class Vocabulary {
  readonly pairs: TokenPairs;
  readonly splitPoints: SplitPoints;
  private readonly byteTokens = new Int32Array(0x100);
  /** Tokens by their bytes. Made for the first piece that is too long to be merged, which most texts do not have. */
  private strings: ByteStrings | undefined;
  private readonly stringBytes: number;
  /** One more than the result of `shorterTail` for each token; 0 if not yet computed. */
  private readonly shorterTails: Int32Array;

  /** @throws if a token of several bytes does not consist of two tokens with lower ranks */
  constructor(source: RankFile | MergeFile | VocabularyTables) {
    if ('strings' in source) {
      this.strings = new ByteStrings(source.strings);
      this.stringBytes = source.strings.bytes.length;
      this.pairs = new TokenPairs(source.pairs);
      this.splitPoints = new SplitPoints(source.splitPoints);
      // Single-byte tokens come first.
      const bytes = source.strings.bytes.subarray(0, this.byteTokens.length);
      for (const [token, byte] of bytes.entries()) this.byteTokens[byte] = token;
    } else if ('merges' in source) {
      this.stringBytes = source.size;
      const { bytes, merges } = source;
      this.pairs = TokenPairs.withRoomFor(bytes.length / 2 + merges.length / 6);
      this.splitPoints = SplitPoints.read(source.splits);
      this.addMerges(bytes, merges);
    } else {
      const ranks = source.bpe_ranks;
      let blanks = 0;
      for (let index = 0; index < ranks.length; index++) if (ranks.charCodeAt(index) === blank) blanks++;
      // Four base64 characters are at most three bytes.
      this.stringBytes = Math.ceil(ranks.length * 0.75);
      this.strings = ByteStrings.withRoomFor(blanks, this.stringBytes);
      this.pairs = TokenPairs.withRoomFor(blanks);
      this.splitPoints = new SplitPoints();
      for (const line of ranks.split('\n')) this.addRanks(line, this.strings);
    }
    this.shorterTails = new Int32Array(this.pairs.size);
  }

  get tables(): VocabularyTables {
    return { strings: this.tokens.tables, pairs: this.pairs.tables, splitPoints: this.splitPoints.bits };
  }

  /** Finds the longest token at the end of some bytes. @param start earliest start of the token */
  findTail(bytes: Uint8Array, start: number, end: number): number {
    return this.tokens.findTail(bytes, start, end);
  }

  /**
   * The longest shorter token at the end of a token; every token of several bytes has one. Cached, because a
   * run of one character, such as blanks, needs the same tokens at every byte.
   *
   * @param bytes bytes of the token, from `start` to `end`
   */
  shorterTail(token: number, bytes: Uint8Array, start: number, end: number): number {
    const known = this.shorterTails[token]!;
    return known > 0 ? known - 1 : this.findShorterTail(token, bytes, start, end);
  }

  /** Encodes up to `mostQueued` bytes by byte pairs. @returns the number of tokens */
  merge(bytes: Uint8Array, start: number, end: number): number {
    const length = end - start;
    const inRuns = length > mostCompared ? this.mergeRuns(bytes, start, end) : 0;
    if (inRuns > 0) return inRuns;
    this.partsOf(bytes, start, end);
    return length > mostCompared
      ? mergeQueued(this.pairs, parts, length)
      : this.pairs.merge(parts, length, 1);
  }

  /** Encodes a piece of few runs of the same byte. @returns the number of tokens; 0 for any other piece */
  mergeRuns(bytes: Uint8Array, start: number, end: number): number {
    return mergeRuns(this.pairs, this.byteTokens, bytes, start, end);
  }

  lengthOf(token: number): number {
    return this.tokens.lengthOf(token);
  }

  private findShorterTail(token: number, bytes: Uint8Array, start: number, end: number): number {
    const found = this.findTail(bytes, start + 1, end);
    this.shorterTails[token] = found + 1;
    return found;
  }

  private get tokens(): ByteStrings {
    return (this.strings ??= this.joinTokens());
  }

  private joinTokens(): ByteStrings {
    const { pairs, byteTokens } = this;
    const strings = ByteStrings.withRoomFor(pairs.size, this.stringBytes);
    const bytes = new Uint8Array(byteTokens.length);
    for (const [byte, token] of byteTokens.entries()) bytes[token] = byte;
    for (let token = 0; token < bytes.length; token++) {
      strings.add(bytes, token, token + 1, hashOf(bytes, token, token + 1));
    }
    for (let token = bytes.length; token < pairs.size; token++) strings.addJoined(...pairs.halvesOf(token));
    return strings;
  }

  private addMerges(bytes: string, merges: string | Uint8Array): void {
    const { pairs, byteTokens } = this;
    for (let index = 0; index < bytes.length; index += 2) {
      byteTokens[Number.parseInt(bytes.slice(index, index + 2), 16)] = pairs.size;
      pairs.addByte();
    }
    const count = merges.length / 6;
    // Read from bytes, because V8 takes longer to get at the characters of a string until it has compiled the loop.
    const digits = typeof merges === 'string' ? bytesOf(merges) : merges;
    for (let at = 0; at < count; at++) {
      const left =
        sextets[digits[at]!]! |
        (sextets[digits[at + count]!]! << 6) |
        (sextets[digits[at + 2 * count]!]! << 12);
      const right =
        sextets[digits[at + 3 * count]!]! |
        (sextets[digits[at + 4 * count]!]! << 6) |
        (sextets[digits[at + 5 * count]!]! << 12);
      pairs.add(left, right);
    }
  }

  private addRanks(line: string, strings: ByteStrings): void {
    const decoded = new Uint8Array(Math.ceil(line.length * 0.75));
    let end = 0;
    // Starts after the exclamation mark and the offset.
    let at = line.indexOf(' ', line.indexOf(' ') + 1) + 1;
    while (at > 0 && at < line.length) {
      const start = end;
      let bits = 0;
      let bitCount = 0;
      for (; at < line.length; at++) {
        const code = line.charCodeAt(at);
        if (code === blank) break;
        if (code === padding) continue;
        bits = ((bits << 6) | sextets[code]!) & 0xffff;
        bitCount += 6;
        if (bitCount < 8) continue;
        bitCount -= 8;
        decoded[end++] = bits >> bitCount;
      }
      at++;
      if (end - start === 1) {
        this.byteTokens[decoded[start]!] = this.pairs.size;
        this.pairs.addByte();
        strings.add(decoded, start, end, hashOf(decoded, start, end));
      } else this.addJoined(strings, ...this.halvesOf(decoded, start, end));
    }
  }

  /** Finds the two tokens that remain of a token's bytes after all merges with a lower rank. */
  private halvesOf(bytes: Uint8Array, start: number, end: number): readonly [number, number] {
    this.partsOf(bytes, start, end);
    if (this.pairs.merge(parts, end - start, 2) !== 2) {
      throw new Error(`The token of rank ${this.pairs.size} does not consist of two others.`);
    }
    return [parts[0]!, parts[1]!];
  }

  private partsOf(bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++) parts[at - start] = this.byteTokens[bytes[at]!]!;
  }

  private addJoined(strings: ByteStrings, left: number, right: number): void {
    this.pairs.add(left, right);
    const joint = strings.addJoined(left, right);
    if (strings.bytes[joint]! < wideLead) return;
    this.splitPoints.join(strings.bytes, joint, strings.lengthOf(left), strings.lengthOf(right));
  }
}

/** Tokens during a merge. */
const parts = new Int32Array(mostQueued);
/** Maximum number of tokens for which it is faster to compare all neighbours each time than to keep a queue. */
const mostCompared = 40;

function bytesOf(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length + mostBytesPerUnit);
  writeUtf8(digits, 0, digits.length, bytes, 0);
  return bytes;
}

const blank = 0x20;
const padding = 0x3d;

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sextets = new Uint8Array(128);
for (let value = 0; value < base64Alphabet.length; value++) sextets[base64Alphabet.charCodeAt(value)] = value;
