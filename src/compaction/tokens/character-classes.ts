import { unicodeRuns } from './unicode-runs.ts';

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

/** Class of each letter of `unicodeRuns`. */
const classOfLetter: Readonly<Record<string, number>> = {
  u: classes.upper,
  l: classes.lower,
  c: classes.caseless,
  m: classes.mark,
  n: classes.digit,
  r: classes.lineEnd,
  s: classes.space,
  o: classes.other,
};

/** Class of each character by its code point. */
export const classOf = new Uint8Array(0x110000);
let codePoint = 0;
let length = 0;
for (let index = 0; index < unicodeRuns.length; index++) {
  const digit = unicodeRuns.charCodeAt(index) - 0x30;
  if (digit >= 0 && digit <= 9) length = 10 * length + digit;
  const one = classOfLetter[unicodeRuns.charAt(index)];
  if (one === undefined) continue;
  classOf.fill(one, codePoint, (codePoint += length || 1));
  length = 0;
}

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
