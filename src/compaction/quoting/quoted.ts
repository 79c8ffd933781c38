import type { TagSuffix } from './session-tags.ts';
import { neutralise } from './neutralise.ts';
import { visibleText, withPlainLineEnds } from './visible-text.ts';

/** Removes markers, the session's tag suffix and invisible characters from foreign text, and unifies its line ends. */
export function cleanText(text: string, tagSuffix?: TagSuffix): string {
  return visibleText(neutralise(withPlainLineEnds(text), tagSuffix));
}

/** Writes foreign text within one of our lines, such as a name, a title or an error message. */
export function inLine(text: string, tagSuffix?: TagSuffix): string {
  return cleanText(withPlainLineEnds(text).replace(/\s+/gu, ' ').trim(), tagSuffix);
}

/** Quotes words of the user or a model within one of our lines, so that the words cannot close the quotes. */
export function inQuotes(words: string, tagSuffix?: TagSuffix): string {
  return `“${inLine(words, tagSuffix).replace(/[“”„‟❝❞＂]/gu, '"')}”`;
}

/** Quotes foreign text: every line begins with `> `, so it cannot pass for a line of the answer. */
export function quoted(text: string): string {
  const lines = cleanText(text).split('\n');
  return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

export function escapeTags(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
