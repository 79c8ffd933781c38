/** Merges as plain data, from which another thread makes the same. */
export interface PairTables {
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
  readonly slots: Int32Array;
  readonly bits: Int32Array;
  readonly added: number;
}

/**
 * The merges of a vocabulary: for each token of several bytes, the two tokens that byte pair encoding joins to make it.
 * Tokens are numbers in the order of their ranks; those of one byte come first.
 */
export class TokenPairs {
  /** Left and right half of each token; of one that is a single byte, the token itself. */
  private readonly lefts: Int32Array;
  private readonly rights: Int32Array;
  /** An open-addressed hash table of the tokens by their halves, at most half full; 0 for an empty slot. */
  private readonly slots: Int32Array;
  private readonly slotMask: number;
  /** A bit by the hash of each pair. Most searches find nothing and read nothing else, and these fit into the cache. */
  private readonly bits: Int32Array;
  private added: number;

  constructor({ lefts, rights, slots, bits, added }: PairTables) {
    this.lefts = lefts;
    this.rights = rights;
    this.slots = slots;
    this.slotMask = slots.length - 1;
    this.bits = bits;
    this.added = added;
  }

  /** None yet. @param most tokens that there is room for */
  static withRoomFor(most: number): TokenPairs {
    const slotCount = 2 ** Math.ceil(Math.log2(2 * Math.max(most, 1)));
    return new TokenPairs({
      lefts: new Int32Array(most),
      rights: new Int32Array(most),
      slots: new Int32Array(slotCount),
      bits: new Int32Array(bitCount / 32),
      added: 0,
    });
  }

  get tables(): PairTables {
    const { lefts, rights, slots, bits, added } = this;
    return { lefts, rights, slots, bits, added };
  }

  /** Adds the next token, which is a single byte. */
  addByte(): void {
    this.lefts[this.added] = this.added;
    this.rights[this.added] = this.added;
    this.added++;
  }

  /** Adds the next token, which two others make. */
  add(left: number, right: number): void {
    this.lefts[this.added] = left;
    this.rights[this.added] = right;
    const { slots, slotMask } = this;
    const hash = hashOf(left, right);
    this.bits[(hash & bitMask) >>> 5]! |= 1 << hash;
    let slot = hash & slotMask;
    while (slots[slot] !== 0) slot = (slot + 1) & slotMask;
    // A pair never makes token 0, which is a byte.
    slots[slot] = this.added++;
  }

  /** The two tokens that a token consists of. */
  halvesOf(token: number): readonly [number, number] {
    return [this.lefts[token]!, this.rights[token]!];
  }

  /** The token that two others make, or -1. */
  find(left: number, right: number): number {
    const { slots, slotMask, lefts, rights } = this;
    const hash = hashOf(left, right);
    if ((this.bits[(hash & bitMask) >>> 5]! & (1 << hash)) === 0) return -1;
    for (let slot = hash & slotMask; ; slot = (slot + 1) & slotMask) {
      const token = slots[slot]!;
      if (token === 0) return -1;
      if (lefts[token] === left && rights[token] === right) return token;
    }
  }

  /**
   * True if byte pair encoding leaves two tokens side by side as they are. Their merges are undone, last one first: if
   * what then meets where they touch could have been joined sooner than what was undone, it would have been.
   *
   * `is_valid_token_pair` of GitHub's rust-gems, crates/bpe.
   */
  areApart(leftToken: number, rightToken: number): boolean {
    const { lefts, rights } = this;
    let left = leftToken;
    let right = rightToken;
    /** Only a pair with a lower rank would have been joined by now. */
    let limit = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const joined = this.find(left, right);
      if (joined >= 0 && joined < limit) return false;
      if (left > right) {
        limit = left;
        left = rights[left]!;
        // A byte, and so is the other one, whose rank is lower.
        if (left === limit) return true;
      } else {
        // Of equal ranks the leftmost is joined first: the pair between the two comes before one in the right token.
        limit = right + 1;
        right = lefts[right]!;
        if (right + 1 === limit) return true;
      }
    }
  }
}

/** Ten for each pair of the largest vocabulary. */
const bitCount = 2 ** 21;
const bitMask = bitCount - 1;

function hashOf(left: number, right: number): number {
  const hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca77);
  return hash ^ (hash >>> 15);
}
