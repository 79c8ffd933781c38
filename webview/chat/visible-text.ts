/** Characters that are not seen, or that change the order of those that are. Line ends and tabs may stay. */
const unseen = /(?!\r?\n|\t)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text with nothing hidden in it: what a person allows has to look like what it is. */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
