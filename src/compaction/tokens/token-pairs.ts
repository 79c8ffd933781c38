/** Merges as plain data, from which another thread makes the same. */
export interface PairTables {
  readonly lefts: Int32Array;
  readonly rights: Int32Array;
  readonly ofBytes: Int32Array;
  readonly slots: Int32Array;
  readonly bits: Int32Array;
  readonly added: number;
}

/** In place of a token where a pair makes none: higher than every token, so that the lowest of several is one. */
export const noToken = 2 ** 31 - 1;

/**
 * The merges of a vocabulary: for each token of several bytes, the two tokens that byte pair encoding joins to make it.
 * Tokens are numbers in the order of their ranks; those of one byte come first.
 */
export class TokenPairs {
  /** Left and right half of each token; of one that is a single byte, the token itself. */
  private readonly lefts: Int32Array;
  private readonly rights: Int32Array;
  /** The tokens of two bytes, by both. These are looked for at every byte that is merged. */
  private readonly ofBytes: Int32Array;
  /**
   * An open-addressed hash table of the other tokens by their halves. A slot is two numbers that consist of the left
   * half, the right half and the token, with `tokenBits` each; the second is 0 where it is empty.
   */
  private readonly slots: Int32Array;
  private readonly slotMask: number;
  /** A bit by the hash of each pair. Most searches find nothing and read nothing else, and these fit into the cache. */
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

  /**
   * None yet.
   *
   * @param most tokens that there is room for
   * @throws for more than a million
   */
  static withRoomFor(most: number): TokenPairs {
    if (most > 2 ** tokenBits) throw new Error(`A vocabulary of ${most} tokens is too large.`);
    // At most four fifths full: the bits keep away most searches that find nothing, which would take long.
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

  /** Adds the next token, which is a single byte. */
  addByte(): void {
    this.lefts[this.added] = this.added;
    this.rights[this.added] = this.added;
    this.added++;
  }

  /** Adds the next token, which two others make. */
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

  /** The two tokens that a token consists of. */
  halvesOf(token: number): readonly [number, number] {
    return [this.lefts[token]!, this.rights[token]!];
  }

  /** The token that two others make, or `noToken`. */
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

  /**
   * Byte pair encoding as it is defined: joins the two neighbours that make the lowest token, the leftmost of several,
   * again and again. For few tokens, of which it looks at all each time.
   *
   * @param tokens those to join, at the front; at the end those that are left
   * @param fewest at which it stops
   * @returns how many are left
   */
  merge(tokens: Int32Array, count: number, fewest: number): number {
    for (let index = 1; index < count; index++) made[index] = this.find(tokens[index - 1]!, tokens[index]!);
    for (let left = count; ;) {
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
      if (at > 1) made[at - 1] = this.find(tokens[at - 2]!, lowest);
      if (at < left) made[at] = this.find(lowest, tokens[at]!);
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
    let limit = noToken;
    for (;;) {
      if (this.find(left, right) < limit) return false;
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

/** The tokens that each two neighbours of those that are merged make; a token is at most this long. */
const made = new Int32Array(1_024);

/** Bits of a token in a slot: a million tokens, five times those of the largest vocabulary. */
const tokenBits = 20;
const tokenMask = 2 ** tokenBits - 1;

/** Ten for each pair of the largest vocabulary. */
const bitCount = 2 ** 21;
const bitMask = bitCount - 1;

function areBytes(left: number, right: number): boolean {
  return (left | right) < 0x100;
}

function hashOf(left: number, right: number): number {
  const hash = Math.imul(left, 0x9e3779b1) ^ Math.imul(right, 0x85ebca77);
  return hash ^ (hash >>> 15);
}
