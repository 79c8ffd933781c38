import { neutralise } from './neutralise.ts';

/**
 * Control characters but for tabs and line feeds, all that changes the direction of writing, and all that shows nothing.
 * A joiner or a variation selector that follows what it shapes may stay: emoji and several scripts need them.
 */
const unseen =
  /(?![\t\n])\p{Cc}|\p{Bidi_Control}|(?!\u200C|\u200D|\uFE0E|\uFE0F)\p{Default_Ignorable_Code_Point}|(?<=\p{Default_Ignorable_Code_Point})(?!(?<=\uFE0F)\u200D)\p{Default_Ignorable_Code_Point}/gu;

/** Names the characters that nobody sees, `‹U+202E›`: agents show such text in terminals, and models read it. */
export function visibleText(text: string): string {
  return text.replace(unseen, (character) => {
    return `‹U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}›`;
  });
}

/**
 * Text of others in an answer to a model. Every line begins with `> `, so that none passes for a line of the answer;
 * nothing in it passes for a turn or a tag, and no character is hidden.
 */
export function quoted(text: string): string {
  const lines = visibleText(neutralise(text.replace(/\r\n?|[\u2028\u2029]/gu, '\n'))).split('\n');
  return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}
