/** A text as a reader takes it: look-alikes are the letters they look like, and what cannot be seen is left out. */
export interface FoldedText {
  readonly text: string;
  /** Where in the text as it was a stretch of the folded one stands. */
  readonly place: (start: number, end: number) => readonly [start: number, end: number];
}

const invisible = /\p{Default_Ignorable_Code_Point}|\p{Cf}/u;
/** Look-alikes that normalisation leaves as they are. */
const lookAlikes: Readonly<Record<string, string>> = Object.fromEntries([
  ...pairs('˂ᐸ❮〈⟨〈', '<'),
  ...pairs('˃ᐳ❯〉⟩〉', '>'),
  ...pairs('ǀ∣│❘￨ꟾ', '|'),
  ...pairs('∕⁄⧸', '/'),
  ...pairs('∶꞉ː', ':'),
  ...pairs('▁ˍ', '_'),
  ...zip('аеіјорсухѕһԁոԝАВЕІКМНОРСТХЅ', 'aeijopcyxshdnwABEIKMHOPCTXS'),
  ...zip('οανρΑΒΕΗΙΚΜΝΟΡΤΧ', 'oavpABEHIKMNOPTX'),
]);

function pairs(from: string, to: string): readonly (readonly [string, string])[] {
  return Array.from(from, (character) => [character, to] as const);
}

function zip(from: string, to: string): readonly (readonly [string, string])[] {
  return Array.from(from, (character, index) => [character, to[index] ?? character] as const);
}

/** Folds a text character by character, so that every place in it can be found again. */
export function foldText(text: string): FoldedText {
  if (!/\P{ASCII}/u.test(text)) return { text, place: (start, end) => [start, end] };
  let folded = '';
  const starts: number[] = [];
  const ends: number[] = [];
  let position = 0;
  for (const character of text) {
    const start = position;
    position += character.length;
    const plain = character < '\x80' ? character : plainOf(character);
    folded += plain;
    while (starts.length < folded.length) {
      starts.push(start);
      ends.push(position);
    }
  }
  return { text: folded, place: (start, end) => [starts[start] ?? 0, ends[end - 1] ?? 0] };
}

const known = new Map<string, string>();
/** Most characters that are remembered. */
const mostKnown = 20_000;

function plainOf(character: string): string {
  const seen = known.get(character);
  if (seen !== undefined) return seen;
  const plain = invisible.test(character) ? '' : (lookAlikes[character] ?? character.normalize('NFKC'));
  if (known.size < mostKnown) known.set(character, plain);
  return plain;
}
