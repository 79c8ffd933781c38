import type { Mark } from './mark.ts';
import { neutralise } from './neutralise.ts';
import { visibleText, withPlainLineEnds } from './visible-text.ts';

/**
 * Foreign text for a model or a user: nothing in it passes for a marker, no character is hidden, and its lines end with
 * line feeds. A text that was cleaned before stays as it is.
 *
 * @param mark of the session, which never occurs in text of others
 */
export function cleanText(text: string, mark?: Mark): string {
  return visibleText(neutralise(withPlainLineEnds(text), mark));
}

/** Foreign text within a line of ours: a name, a title, the message of an error. */
export function inLine(text: string, mark?: Mark): string {
  return cleanText(withPlainLineEnds(text).replace(/\s+/gu, ' ').trim(), mark);
}

/** Words of the user or a model in a line of ours: they cannot end the quotes around them. */
export function inQuotes(words: string, mark?: Mark): string {
  return `“${inLine(words, mark).replace(/[“”„‟❝❞＂]/gu, '"')}”`;
}

/** Quotes foreign text in an answer to a model: every line begins with `> `, so it cannot pass as a line of the answer. */
export function quoted(text: string): string {
  const lines = cleanText(text).split('\n');
  return lines.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/** Keeps text from being read as a tag. */
export function escapeTags(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
