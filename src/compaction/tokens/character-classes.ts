/** Classes of characters that the split patterns distinguish: columns of the scan tables. */
export const classes = {
  end: 0,
  /** `\p{Lu}` and `\p{Lt}`, except the letters of the next four classes: `STMD`, `RV`, `E` and `L`. */
  upper: 1,
  upperS: 2,
  upperR: 3,
  upperE: 4,
  upperL: 5,
  /** `\p{Ll}`. */
  lower: 6,
  lowerS: 7,
  lowerR: 8,
  lowerE: 9,
  lowerL: 10,
  /** Letters without case: `\p{Lm}` and `\p{Lo}`. */
  caseless: 11,
  mark: 12,
  digit: 13,
  blank: 14,
  /** White space except blanks and line ends. */
  space: 15,
  /** `\r` and `\n`. */
  lineEnd: 16,
  apostrophe: 17,
  slash: 18,
  other: 19,
} as const;

export type CharacterClass = keyof typeof classes;

/** A byte that UTF-8 never contains. It marks the end of a text. */
export const endByte = 0xff;

/** Groups in the order of `classOfGroup`. */
const runs =
  /([\p{Lu}\p{Lt}]+)|(\p{Ll}+)|([\p{Lm}\p{Lo}]+)|(\p{M}+)|(\p{N}+)|([\r\n]+)|([^\S\r\n]+)|([^\p{L}\p{M}\p{N}\s]+)/gu;
const classOfGroup = (
  ['upper', 'lower', 'caseless', 'mark', 'digit', 'lineEnd', 'space', 'other'] as const
).map((name) => classes[name]);

const blockSize = 256;
const classOf = new Uint8Array(0x110000);

/** Fills in a block with regular expressions, so that patterns follow the engine's Unicode version. */
function classify(codePoint: number): void {
  const first = codePoint - (codePoint % blockSize);
  const unitsEach = first >= 0x10000 ? 2 : 1;
  const codePoints = Array.from({ length: blockSize }, (_, index) => first + index);
  for (const match of String.fromCodePoint(...codePoints).matchAll(runs)) {
    const start = first + match.index / unitsEach;
    // Groups that did not match are undefined.
    const group = match.slice(1).findIndex(Boolean);
    classOf.fill(classOfGroup[group]!, start, start + match[0].length / unitsEach);
  }
}

classify(0);

const named: Readonly<Partial<Record<CharacterClass, string>>> = {
  blank: ' ',
  apostrophe: "'",
  slash: '/',
  upperS: 'STMD',
  upperR: 'RV',
  upperE: 'E',
  upperL: 'L',
  lowerS: 'stmd',
  lowerR: 'rv',
  lowerE: 'e',
  lowerL: 'l',
};
for (const [name, characters] of Object.entries(named)) {
  for (const character of characters) classOf[character.charCodeAt(0)] = classes[name as CharacterClass];
}

/** Class of an ASCII character by its byte; the class `end` for all other bytes. */
export const classOfByte = new Uint8Array(0x100);
classOfByte.set(classOf.subarray(0, 0x80));

/** Returns the class of the multi-byte character or `endByte` at an index of valid UTF-8. */
export function classOfWide(bytes: Uint8Array, at: number): number {
  const lead = bytes[at]!;
  let codePoint: number;
  if (lead < 0xe0) codePoint = ((lead & 0x1f) << 6) | (bytes[at + 1]! & 0x3f);
  else if (lead < 0xf0) {
    codePoint = ((lead & 0x0f) << 12) | ((bytes[at + 1]! & 0x3f) << 6) | (bytes[at + 2]! & 0x3f);
  } else if (lead === endByte) return classes.end;
  else {
    codePoint =
      ((lead & 0x07) << 18) |
      ((bytes[at + 1]! & 0x3f) << 12) |
      ((bytes[at + 2]! & 0x3f) << 6) |
      (bytes[at + 3]! & 0x3f);
  }
  if (classOf[codePoint] === 0) classify(codePoint);
  return classOf[codePoint]!;
}

export function widthOf(lead: number): number {
  return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}
