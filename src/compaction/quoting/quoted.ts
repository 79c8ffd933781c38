import { neutralise } from './neutralise.ts';

/**
 * Control characters except tabs and line feeds, characters that change the writing direction, and invisible
 * characters. Joiners and variation selectors may follow the character they shape: emoji and several scripts need them.
 */
const unseen =
  /(?![\t\n])\p{Cc}|\p{Bidi_Control}|(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}|(?<=\p{Default_Ignorable_Code_Point})(?!(?<=\uFE0F)\u200D)\p{Default_Ignorable_Code_Point}/gu;

/** Writes invisible characters as `‹U+202E›`: agents show such text in terminals, and models read it. */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) => {
    return `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`;
  });
}

/**
 * Quotes foreign text in an answer to a model. Every line begins with `> `, so it cannot pass as a line of the answer;
 * turns and tags in it are neutralised, and no character is hidden.
 */
export function quoted(text: string): string {
  const lines = visibleText(neutralise(text.replace(/\r\n?|[\u2028\u2029]/gu, '\n'))).split('\n');
  return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}
