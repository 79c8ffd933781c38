/** Merges as plain data, from which another thread can recreate them. */
export interface PairTables {
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
  readonly ofBytes: Int32Array;
  readonly slots: Int32Array;
  readonly bits: Int32Array;
  readonly added: number;
}

/** Result for a pair that makes no token. Higher than every token, so that a minimum ignores it. */
export const noToken = 2 ** 31 - 1;

/** Merges of a vocabulary: the two tokens that make each longer token, by rank. Single bytes come first. */
export class TokenPairs {
  /** Left and right half of each token. For a single byte, both are the token itself. */
  private readonly lefts: Int32Array;
  private readonly rights: Int32Array;
  /** Two-byte tokens by their bytes, looked up at every merged byte. */
  private readonly ofBytes: Int32Array;
  /**
   * Open-addressed hash table of the other tokens by their halves. A slot is two numbers with the left half,
   * the right half and the token, `tokenBits` each. The second number of an empty slot is 0.
   */
  private readonly slots: Int32Array;
  private readonly slotMask: number;
  /** A bit by the hash of each pair. Most searches fail and read only these bits, which fit into the cache. */
  private readonly bits: Int32Array;
  private added: number;

  constructor({ lefts, rights, ofBytes, slots, bits, added }: PairTables) {
    this.lefts = lefts;
    this.rights = rights;
    this.ofBytes = ofBytes;
    this.slots = slots;
    this.slotMask = slots.length / 2 - 1;
    this.bits = bits;
    this.added = added;
  }

  /** Creates an empty set. @throws for more than a million tokens */
  static withRoomFor(most: number): TokenPairs {
    if (most > 2 ** tokenBits) throw new Error(`A vocabulary of ${most} tokens is too large.`);
    // At most four fifths full. The bits prevent most failing searches, which would be slow.
    const slotCount = 2 ** Math.ceil(Math.log2(1.25 * Math.max(most, 1)));
    return new TokenPairs({
      lefts: new Int32Array(most),
      rights: new Int32Array(most),
      ofBytes: new Int32Array(0x10000).fill(noToken),
      slots: new Int32Array(2 * slotCount),
      bits: new Int32Array(bitCount / 32),
      added: 0,
    });
  }

  get tables(): PairTables {
    const { lefts, rights, ofBytes, slots, bits, added } = this;
    return { lefts, rights, ofBytes, slots, bits, added };
  }

  get size(): number {
    return this.added;
  }

  addByte(): void {
    this.lefts[this.added] = this.added;
    this.rights[this.added] = this.added;
    this.added++;
  }

  add(left: number, right: number): void {
    const token = this.added++;
    this.lefts[token] = left;
    this.rights[token] = right;
    if (areBytes(left, right)) {
      this.ofBytes[(left << 8) | right] = token;
      return;
    }
    const { slots, slotMask } = this;
    const hash = hashOf(left, right);
    this.bits[(hash & bitMask) >>> 5]! |= 1 << hash;
    let slot = hash & slotMask;
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & slotMask;
    slots[2 * slot] = left | (right << tokenBits);
    // A pair never makes token 0, which is a byte.
    slots[2 * slot + 1] = ((right >>> (32 - tokenBits)) << tokenBits) | token;
  }

  halvesOf(token: number): readonly [number, number] {
    return [this.lefts[token]!, this.rights[token]!];
  }

  find(left: number, right: number): number {
    if (areBytes(left, right)) return this.ofBytes[(left << 8) | right]!;
    const { slots, slotMask } = this;
    const hash = hashOf(left, right);
    if ((this.bits[(hash & bitMask) >>> 5]! & (1 << hash)) === 0) return noToken;
    for (let slot = hash & slotMask; ; slot = (slot + 1) & slotMask) {
      const rest = slots[2 * slot + 1]!;
      if (rest === 0) return noToken;
      if (
        slots[2 * slot] === (left | (right << tokenBits)) &&
        rest >>> tokenBits === right >>> (32 - tokenBits)
      ) {
        return rest & tokenMask;
      }
    }
  }

  /** Joins the lowest, leftmost neighbours until `fewest` tokens are left. @returns the number of tokens */
  merge(tokens: Int32Array, count: number, fewest: number): number {
    // Neighbours that are new. One place calls `find`, because V8 copies it to each caller that it compiles.
    let first = 1;
    let last = count - 1;
    for (let left = count; ;) {
      for (let index = first; index <= last; index++) {
        made[index] = this.find(tokens[index - 1]!, tokens[index]!);
      }
      let lowest = noToken;
      let at = 0;
      for (let index = 1; index < left; index++) {
        if (made[index]! >= lowest) continue;
        lowest = made[index]!;
        at = index;
      }
      if (lowest === noToken || left <= fewest) return left;
      tokens[at - 1] = lowest;
      left--;
      for (let index = at; index < left; index++) {
        tokens[index] = tokens[index + 1]!;
        made[index] = made[index + 1]!;
      }
      first = at > 1 ? at - 1 : 1;
      last = at < left ? at : at - 1;
    }
  }

  /**
   * True if byte pair encoding leaves two adjacent tokens unchanged. Undoes their merges, last one first. If the tokens
   * that then touch could have been joined before the undone merge, the two tokens would not have stayed apart.
   *
   * `is_valid_token_pair` of GitHub's rust-gems, crates/bpe.
   */
  areApart(leftToken: number, rightToken: number): boolean {
    const { lefts, rights } = this;
    let left = leftToken;
    let right = rightToken;
    /** Only a pair with a lower rank would have been joined by now. */
    let limit = noToken;
    for (;;) {
      if (this.find(left, right) < limit) return false;
      if (left > right) {
        limit = left;
        left = rights[left]!;
        // Both are single bytes, and the other one has a lower rank.
        if (left === limit) return true;
      } else {
        // For equal ranks the leftmost is joined first, so the pair in between precedes one in the right token.
        limit = right + 1;
        right = lefts[right]!;
        if (right + 1 === limit) return true;
      }
    }
  }
}

/** Tokens that neighbours would make during a merge. The size limits the length of a token. */
const made = new Int32Array(1_024);

/** Bits of a token in a slot: a million tokens, five times as many as in the largest vocabulary. */
const tokenBits = 20;
const tokenMask = 2 ** tokenBits - 1;

/** Number of bits: ten for each pair of the largest vocabulary. */
const bitCount = 2 ** 21;
const bitMask = bitCount - 1;

function areBytes(left: number, right: number): boolean {
  return (left | right) < 0x100;
}

function hashOf(left: number, right: number): number {
  const hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca77);
  return hash ^ (hash >>> 15);
}
