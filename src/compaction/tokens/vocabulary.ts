import { ByteStrings, hashOf, type StringTables } from './byte-strings.ts';
import { SplitPoints, wideLead } from './split-points.ts';
import { type PairTables, TokenPairs } from './token-pairs.ts';

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
   * right tokens.
   */
  readonly merges: string;
}

export interface VocabularyTables {
  readonly strings: StringTables;
  readonly pairs: PairTables;
  readonly splitPoints: Int32Array;
}

/** The tokens of an encoding by their bytes, and their merges. Tokens are numbered by rank. */
export class Vocabulary {
  readonly pairs: TokenPairs;
  readonly splitPoints: SplitPoints;
  private readonly tokens: ByteStrings;
  private readonly byteTokens = new Int32Array(0x100);
  /** One more than the result of `shorterTail` for each token; 0 if not yet computed. */
  private readonly shorterTails: Int32Array;

  /** @throws if a token of several bytes does not consist of two tokens with lower ranks */
  constructor(source: RankFile | MergeFile | VocabularyTables) {
    if ('strings' in source) {
      this.tokens = new ByteStrings(source.strings);
      this.pairs = new TokenPairs(source.pairs);
      this.splitPoints = new SplitPoints(source.splitPoints);
      // Single-byte tokens come first.
      const bytes = source.strings.bytes.subarray(0, this.byteTokens.length);
      for (const [token, byte] of bytes.entries()) this.byteTokens[byte] = token;
    } else if ('merges' in source) {
      const count = source.bytes.length / 2 + source.merges.length / 6;
      this.tokens = ByteStrings.withRoomFor(count, source.size);
      this.pairs = TokenPairs.withRoomFor(count);
      this.splitPoints = new SplitPoints();
      this.addMerges(source);
    } else {
      const ranks = source.bpe_ranks;
      let blanks = 0;
      for (let index = 0; index < ranks.length; index++) if (ranks.charCodeAt(index) === blank) blanks++;
      // Four base64 characters are at most three bytes.
      this.tokens = ByteStrings.withRoomFor(blanks, Math.ceil(ranks.length * 0.75));
      this.pairs = TokenPairs.withRoomFor(blanks);
      this.splitPoints = new SplitPoints();
      for (const line of ranks.split('\n')) this.addRanks(line);
    }
    this.shorterTails = new Int32Array(this.size);
  }

  get tables(): VocabularyTables {
    return { strings: this.tokens.tables, pairs: this.pairs.tables, splitPoints: this.splitPoints.bits };
  }

  private get size(): number {
    return this.tokens.size;
  }

  /** Returns the token with these bytes, or -1. @param hash `hashOf` the bytes */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    return this.tokens.find(bytes, start, end, hash);
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

  /** Encodes a few bytes by byte pairs, down to `fewest` tokens. @returns the number of tokens */
  merge(bytes: Uint8Array, start: number, end: number, fewest = 1): number {
    for (let at = start; at < end; at++) parts[at - start] = this.byteTokens[bytes[at]!]!;
    return this.pairs.merge(parts, end - start, fewest);
  }

  lengthOf(token: number): number {
    return this.tokens.lengthOf(token);
  }

  private findShorterTail(token: number, bytes: Uint8Array, start: number, end: number): number {
    const found = this.tokens.findTail(bytes, start + 1, end);
    this.shorterTails[token] = found + 1;
    return found;
  }

  private addMerges({ bytes, merges }: MergeFile): void {
    const byte = new Uint8Array(1);
    for (let index = 0; index < bytes.length; index += 2) {
      byte[0] = Number.parseInt(bytes.slice(index, index + 2), 16);
      this.addByte(byte, 0);
    }
    const count = merges.length / 6;
    const digit = (plane: number, index: number) => sextets[merges.charCodeAt(plane * count + index)]!;
    const rank = (plane: number, index: number) =>
      digit(plane, index) | (digit(plane + 1, index) << 6) | (digit(plane + 2, index) << 12);
    for (let index = 0; index < count; index++) {
      this.addJoined(rank(0, index), rank(3, index));
    }
  }

  private addRanks(line: string): void {
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
      if (end - start === 1) this.addByte(decoded, start);
      else this.addJoined(...this.halvesOf(decoded, start, end));
    }
  }

  /** Finds the two tokens that remain of a token's bytes after all merges with a lower rank. */
  private halvesOf(bytes: Uint8Array, start: number, end: number): readonly [number, number] {
    if (this.merge(bytes, start, end, 2) !== 2) {
      throw new Error(`The token of rank ${this.size} does not consist of two others.`);
    }
    return [parts[0]!, parts[1]!];
  }

  private addByte(bytes: Uint8Array, at: number): void {
    this.byteTokens[bytes[at]!] = this.size;
    this.pairs.addByte();
    this.tokens.add(bytes, at, at + 1, hashOf(bytes, at, at + 1));
  }

  private addJoined(left: number, right: number): void {
    const { tokens, pairs, splitPoints } = this;
    pairs.add(left, right);
    const joint = tokens.addJoined(left, right);
    // Checked here to save a call, because most tokens fail the test.
    if (tokens.bytes[joint]! >= wideLead) {
      splitPoints.join(tokens.bytes, joint, tokens.lengthOf(left), tokens.lengthOf(right));
    }
  }
}

/** Tokens during a merge. The size limits the length of a token. */
const parts = new Int32Array(1_024);

const blank = 0x20;
const padding = 0x3d;

const base64Alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const sextets = new Uint8Array(128);
for (let value = 0; value < base64Alphabet.length; value++) sextets[base64Alphabet.charCodeAt(value)] = value;
