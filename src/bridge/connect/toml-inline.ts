import { indentationAt } from './json-edits.ts';

/** A pair of an inline table, with its positions in the text. */
interface Pair {
  /** The key as written in the text. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
}

/** An inline table, from the opening to the closing brace. */
interface InlineTable {
  readonly open: number;
  readonly close: number;
  readonly pairs: readonly Pair[];
}

/**
 * Appends a pair to a top-level inline table of a valid text, `name = { … }`, on its own line if the other pairs have
 * separate lines. Nothing else changes, except for the comma before it.
 *
 * @param name name of the table @param pair the pair in TOML notation
 * @returns undefined if the text has no such table
 */
export function withInlinePair(text: string, name: string, pair: string): string | undefined {
  const table = inlineTable(text, name);
  if (table === undefined) return undefined;
  const { open, close, pairs } = table;
  const first = pairs[0];
  const last = pairs.at(-1);
  if (first === undefined || last === undefined) {
    const gap = text.slice(open + 1, close).includes('\n') ? '' : ' ';
    return `${text.slice(0, open + 1)} ${pair}${text.slice(open + 1, close) || gap}${text.slice(close)}`;
  }
  const hasComma = text.slice(last.end, close).replace(/#.*/gu, '').includes(',');
  // Comments after the last pair stay with that pair.
  const place = text.slice(0, close).trimEnd().length;
  const isOpen = text.slice(open, first.start).includes('\n');
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const gap = isOpen ? eol + indentationAt(text, last.start) : ' ';
  return [
    text.slice(0, last.end),
    hasComma ? '' : ',',
    text.slice(last.end, place),
    gap,
    pair,
    hasComma && isOpen ? ',' : '',
    text.slice(place),
  ].join('');
}

/** Removes a pair and its comma from a top-level inline table. */
export function withoutInlinePair(text: string, name: string, key: string): string | undefined {
  const table = inlineTable(text, name);
  const index = table?.pairs.findIndex((pair) => bare(pair.key) === key) ?? -1;
  const pair = table?.pairs[index];
  if (table === undefined || pair === undefined) return undefined;
  const [before, after] = [table.pairs[index - 1], table.pairs[index + 1]];
  if (before !== undefined) return text.slice(0, before.end) + text.slice(pair.end);
  return text.slice(0, pair.start) + text.slice(after?.start ?? afterComma(text, pair.end));
}

/** @returns the table with this name, if it is a top-level inline table */
function inlineTable(text: string, name: string): InlineTable | undefined {
  for (let at = skipBlank(text, 0); at < text.length && text[at] !== '['; at = skipBlank(text, at)) {
    const pair = pairAt(text, at);
    const value = skipSpace(text, text.indexOf('=', keyEnd(text, at)) + 1);
    if (bare(pair.key) === name && text[value] === '{') return tableAt(text, value);
    at = Math.max(pair.end, at + 1);
  }
  return undefined;
}

function tableAt(text: string, open: number): InlineTable {
  const pairs: Pair[] = [];
  let at = skipBlank(text, open + 1);
  while (at < text.length && text[at] !== '}') {
    const pair = pairAt(text, at);
    pairs.push(pair);
    at = afterComma(text, pair.end);
  }
  return { open, close: at, pairs };
}

function pairAt(text: string, start: number): Pair {
  const end = keyEnd(text, start);
  const value = skipSpace(text, end + 1);
  return { key: text.slice(start, end).trim(), start, end: valueEnd(text, value) };
}

/** Returns the position of the equals sign after a key. */
function keyEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && text[at] !== '=') at = isQuote(text[at]) ? stringEnd(text, at) : at + 1;
  return at;
}

/** Returns the end of a value: a string, a bracketed value, or a word. */
function valueEnd(text: string, start: number): number {
  if (isQuote(text[start])) return stringEnd(text, start);
  if (text[start] !== '{' && text[start] !== '[') {
    const word = /^[^\s,#}\]]+(?: [\d:.]+(?:Z|[+-][\d:]+)?)?/u.exec(text.slice(start, start + 200));
    return start + (word?.[0].length ?? 1);
  }
  let depth = 0;
  for (let at = start; at < text.length;) {
    const character = text[at];
    if (isQuote(character)) {
      at = stringEnd(text, at);
      continue;
    }
    if (character === '#') {
      at = lineEnd(text, at);
      continue;
    }
    if (character === '{' || character === '[') depth++;
    if (character === '}' || character === ']') depth--;
    at++;
    if (depth === 0) return at;
  }
  return text.length;
}

function stringEnd(text: string, start: number): number {
  const quote = text[start] ?? '';
  const mark = text.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote;
  let at = start + mark.length;
  while (at < text.length && !text.startsWith(mark, at)) at += quote === '"' && text[at] === '\\' ? 2 : 1;
  at += mark.length;
  // A multi-line string may end with one or two more quotes.
  while (mark.length === 3 && text[at] === quote) at++;
  return at;
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'";
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Returns the next position that is not a blank. */
function skipSpace(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at;
}

/** Returns the next position that is not a blank, a line end or a comment. */
function skipBlank(text: string, start: number): number {
  let at = start;
  while (at < text.length) {
    if (/\s/u.test(text[at] ?? '')) at++;
    else if (text[at] === '#') at = lineEnd(text, at);
    else break;
  }
  return at;
}

function afterComma(text: string, start: number): number {
  const at = skipBlank(text, start);
  return text[at] === ',' ? skipBlank(text, at + 1) : at;
}

/** Returns a simple key without its quotes. */
function bare(key: string): string {
  return /^(["']).*\1$/u.test(key) ? key.slice(1, -1) : key;
}
