/** Character of a script without spaces between words or before particles, for a regular expression with flag `u`. */
export const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]`;
/** A letter or digit that continues a word, except in scripts without spaces. */
const wordCharacter = new RegExp(String.raw`(?!${unspaced})[\p{L}\p{N}\p{M}_$]`, 'u');

/** True if the text at a position ends a longer word or path: `store.ts` in `old-store.ts`. */
export function continuesBefore(text: string, start: number): boolean {
  if (!isWordOrPath(text[start])) return false;
  const before = text[start - 1];
  if (before === undefined) return false;
  if (wordCharacter.test(before)) return isWordOrPath(text[start]);
  // `./store.ts` is `store.ts`, but `src/store.ts` is another file.
  if (before === '/') return !/(?:^|[^\w./~@-])(?:\.\/)+$/u.test(text.slice(Math.max(0, start - 9), start));
  if (before === '\\' || before === '~') return true;
  if (before === '-' || before === '.' || before === '@' || before === '+') {
    const joined = text[start - 2];
    // A dash or a dot joins words only if it stands between them. `- store.ts` is a list item.
    return joined !== undefined ? !/\s/u.test(joined) || before === '.' : before === '.';
  }
  return false;
}

/** True if the text before a position begins a longer word or path: `store.ts` in `store.tsx`. */
export function continuesAfter(text: string, end: number): boolean {
  const last = text[end - 1];
  const after = text[end];
  if (after === undefined || !isWordOrPath(last)) return false;
  if (wordCharacter.test(after)) return true;
  const next = text[end + 1];
  if (after === '/' || after === '\\') return next !== undefined && isWordOrPath(next);
  if (after === '-' || after === '.' || after === '@' || after === '+') {
    return next !== undefined && wordCharacter.test(next);
  }
  return false;
}

export function isWordOrPath(character: string | undefined): boolean {
  return character !== undefined && (wordCharacter.test(character) || /[./~@-]/u.test(character));
}
