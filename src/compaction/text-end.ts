/**
 * A text without these characters at its end. An expression such as `/\.+$/` would look at each run of them in the
 * text, again from each character of the run.
 *
 * @param characters each UTF-16 unit of it is left out
 */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1]!)) end--;
  return text.slice(0, end);
}

/** A word without the place in a file behind it: `src/x.ts:12:3:` is `src/x.ts`. */
export function withoutPlace(word: string): string {
  let { length: end } = withoutEnd(word, ':.');
  for (;;) {
    const { length: colon } = withoutEnd(word.slice(0, end), '0123456789');
    if (colon === end || word[colon - 1] !== ':') return word.slice(0, end);
    end = colon - 1;
  }
}
