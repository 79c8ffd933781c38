import { writtenWords } from '../text/words.ts';

const asciiCharacters = 128;
/** Marks the ASCII characters of words, as `writtenWords` finds them. */
const isOfWord = Uint8Array.from({ length: asciiCharacters }, (_, code) =>
  /[\w$]/u.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Hash of a word without characters (FNV-1a). */
const noHash = 0x811c_9dc5;
const empty = -1;

/** A value for each word. Finds the words of an ASCII text in their place, because writing out each one is slow. */
export class WordTable<Value> {
  private readonly valueOf: (word: string) => Value;
  private readonly words: string[] = [];
  private readonly hashes: number[] = [];
  private readonly values: Value[] = [];
  /** Index of a word at its hash, or in the next free slot. */
  private slots = new Int32Array(1_024).fill(empty);

  /** @param valueOf called once for each word */
  constructor(valueOf: (word: string) => Value) {
    this.valueOf = valueOf;
  }

  /** Calls `visit` with the value of each word of a text, in order. */
  eachOf(text: string, visit: (value: Value) => void): void {
    if (/\P{ASCII}/u.test(text)) {
      for (const word of writtenWords(text)) visit(this.find(word, 0, word.length, hashOf(word)));
      return;
    }
    let hash = noHash;
    let start = 0;
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (isOfWord[code] === 1) {
        hash = Math.imul(hash ^ code, 0x0100_0193);
        continue;
      }
      if (start < index) visit(this.find(text, start, index, hash));
      hash = noHash;
      start = index + 1;
    }
    if (start < text.length) visit(this.find(text, start, text.length, hash));
  }

  private find(text: string, start: number, end: number, hash: number): Value {
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const index = this.slots[slot]!;
      if (index === empty) break;
      const word = this.words[index]!;
      if (word.length === end - start && text.startsWith(word, start)) return this.values[index]!;
    }
    const word = text.slice(start, end);
    const value = this.valueOf(word);
    this.words.push(word);
    this.values.push(value);
    this.hashes.push(hash);
    if (2 * this.words.length > this.slots.length) this.grow();
    else this.place(this.words.length - 1);
    return value;
  }

  private place(index: number): void {
    const mask = this.slots.length - 1;
    let slot = this.hashes[index]! & mask;
    while (this.slots[slot] !== empty) slot = (slot + 1) & mask;
    this.slots[slot] = index;
  }

  private grow(): void {
    this.slots = new Int32Array(4 * this.slots.length).fill(empty);
    for (let index = 0; index < this.words.length; index++) this.place(index);
  }
}

function hashOf(word: string): number {
  let hash = noHash;
  for (let index = 0; index < word.length; index++) {
    hash = Math.imul(hash ^ word.charCodeAt(index), 0x0100_0193);
  }
  return hash;
}
