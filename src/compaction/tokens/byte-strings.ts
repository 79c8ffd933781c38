/** A set of byte strings as plain data, from which another thread can recreate it. */
export interface StringTables {
  readonly tags: Uint8Array;
  readonly numbers: Int32Array;
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
  readonly lengthsWith: Int32Array;
  readonly longest: number;
  readonly added: number;
}

/** A set of byte strings, numbered in order of insertion: an open-addressed hash table in typed arrays. */
export class ByteStrings {
  /**
   * A byte of the hash of the string in each slot, never zero; zero for an empty slot. Most searches fail and read only
   * these bytes, which fit into the processor's cache.
   */
  private readonly tags: Uint8Array;
  private readonly numbers: Int32Array;
  private readonly slotMask: number;
  readonly bytes: Uint8Array;
  private readonly starts: Int32Array;
  /**
   * Lengths of the strings with a given ending, indexed by `endingOf`: a bit for each length from `endingLength` on.
   * The sign bit stands for all longer strings.
   */
  private readonly lengthsWith: Int32Array;
  private longest: number;
  private added: number;

  constructor({ tags, numbers, bytes, starts, lengthsWith, longest, added }: StringTables) {
    this.tags = tags;
    this.numbers = numbers;
    this.slotMask = tags.length - 1;
    this.bytes = bytes;
    this.starts = starts;
    this.lengthsWith = lengthsWith;
    this.longest = longest;
    this.added = added;
  }

  /** Creates an empty set with room for a number of strings and of their bytes. */
  static withRoomFor(most: number, mostBytes: number): ByteStrings {
    // At most half full, so that a search takes one or two slots.
    const slotCount = 2 ** Math.ceil(Math.log2(2 * Math.max(most, 1)));
    return new ByteStrings({
      tags: new Uint8Array(slotCount),
      numbers: new Int32Array(slotCount),
      bytes: new Uint8Array(mostBytes),
      starts: new Int32Array(most + 1),
      lengthsWith: new Int32Array(endings),
      ...{ longest: 0, added: 0 },
    });
  }

  get tables(): StringTables {
    const { tags, numbers, bytes, starts, lengthsWith, longest, added } = this;
    return { tags, numbers, bytes, starts, lengthsWith, longest, added };
  }

  get size(): number {
    return this.added;
  }

  hasRoomFor(length: number): boolean {
    return this.added < this.starts.length - 1 && this.starts[this.added]! + length <= this.bytes.length;
  }

  /** Returns the number of the string with these bytes, whose `hashOf` is `hash`, or -1. */
  find(bytes: Uint8Array, start: number, end: number, hash: number): number {
    const { tags, slotMask } = this;
    const tag = tagOf(hash);
    for (let slot = hash & slotMask; ; slot = (slot + 1) & slotMask) {
      const found = tags[slot]!;
      if (found === 0) return -1;
      if (found === tag) {
        const number = this.numbers[slot]!;
        if (this.equals(number, bytes, start, end)) return number;
      }
    }
  }

  /** Finds the longest string at the end of some bytes. @returns its number, or -1 */
  findTail(bytes: Uint8Array, start: number, end: number): number {
    const { tags, slotMask, longest } = this;
    let lengths = end - start < endingLength ? 0 : this.lengthsWith[endingOf(bytes, end)]!;
    const most = lengths < 0 ? longest : endingLength + 31 - Math.clz32(lengths);
    const earliest = Math.max(start, end - most);
    let hash = emptyHash;
    let found = 0;
    for (let at = end - 1; at >= earliest; at--) {
      hash = Math.imul(hash ^ bytes[at]!, prime);
      if (end - at >= endingLength) {
        const isLength = (lengths & 1) !== 0;
        // Keeps the sign bit, which stands for all longer strings.
        lengths >>= 1;
        if (!isLength) continue;
      }
      const mixed = hash ^ (hash >>> 15);
      let slot = mixed & slotMask;
      while (tags[slot] !== 0) {
        if (tags[slot] === tagOf(mixed)) {
          tailStarts[found] = at;
          tailHashes[found++] = mixed;
          break;
        }
        slot = (slot + 1) & slotMask;
      }
    }
    while (found > 0) {
      const number = this.find(bytes, tailStarts[--found]!, end, tailHashes[found]!);
      if (number >= 0) return number;
    }
    return -1;
  }

  /** Adds a new string that fits. Its number is the previous `size`. */
  add(bytes: Uint8Array, start: number, end: number, hash: number): void {
    let target = this.starts[this.added]!;
    for (let index = start; index < end; index++) this.bytes[target++] = bytes[index]!;
    this.enter(target, hash);
  }

  /** Joins two strings of the set and adds the result. @returns start of the second string in `bytes` */
  addJoined(left: number, right: number): number {
    const start = this.starts[this.added]!;
    const joint = this.copy(left, start);
    const end = this.copy(right, joint);
    this.enter(end, hashOf(this.bytes, start, end));
    return joint;
  }

  lengthOf(number: number): number {
    return this.starts[number + 1]! - this.starts[number]!;
  }

  clear(): void {
    this.tags.fill(0);
    this.added = 0;
  }

  /** Copies a string to the end of all bytes. @returns the new end */
  private copy(number: number, at: number): number {
    const { bytes, starts } = this;
    const end = starts[number + 1]!;
    let target = at;
    for (let index = starts[number]!; index < end; index++) bytes[target++] = bytes[index]!;
    return target;
  }

  private enter(end: number, hash: number): void {
    const { tags, slotMask } = this;
    let slot = hash & slotMask;
    while (tags[slot] !== 0) slot = (slot + 1) & slotMask;
    tags[slot] = tagOf(hash);
    this.numbers[slot] = this.added;
    const length = end - this.starts[this.added]!;
    this.starts[++this.added] = end;
    if (length > this.longest) this.longest = length;
    if (length < endingLength) return;
    this.lengthsWith[endingOf(this.bytes, end)]! |= 1 << Math.min(31, length - endingLength);
  }

  private equals(number: number, bytes: Uint8Array, start: number, end: number): boolean {
    const own = this.starts[number]!;
    if (this.starts[number + 1]! - own !== end - start) return false;
    for (let index = start, at = own; index < end; index++, at++) {
      if (bytes[index] !== this.bytes[at]) return false;
    }
    return true;
  }
}

/** Longest string, in bytes. The arrays hold the candidates of a search for a tail, shortest first. */
const longestString = 1_024;
const tailStarts = new Int32Array(longestString);
const tailHashes = new Int32Array(longestString);

const emptyHash = 0x811c9dc5 | 0;
const prime = 0x01000193;

/** 32-bit FNV-1a with mixed bits, read from the end, so that all strings with the same end are hashed in one pass. */
export function hashOf(bytes: Uint8Array, start: number, end: number): number {
  let hash = emptyHash;
  for (let index = end - 1; index >= start; index--) hash = Math.imul(hash ^ bytes[index]!, prime);
  return hash ^ (hash >>> 15);
}

/** 2^32 divided by the golden ratio. Its multiples are evenly spread (Knuth, 6.4). */
const golden = 0x9e3779b1;

/** Strings are grouped by endings: bytes in an ending, and number of groups. Shorter strings are always searched. */
const endingLength = 3;
const endings = 0x10000;

function endingOf(bytes: Uint8Array, end: number): number {
  const last = bytes[end - 1]! | (bytes[end - 2]! << 8) | (bytes[end - 3]! << 16);
  return Math.imul(last, golden) >>> 16;
}

/** Returns the high bits of a hash, which do not affect the slot. */
function tagOf(hash: number): number {
  return (hash >>> 24) | 1;
}
