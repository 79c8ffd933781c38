import { isFields } from './fields.ts';
import { jsonLines } from './json-lines.ts';
import { objectionToValue } from './sound-value.ts';

/** Lines that are tried before a text is no JSON lines. */
const mostLinesTried = 20;
const mostFields = 8;
const longestName = 40;
/** Objects and arrays within one another that are looked into. */
const deepest = 3;

/**
 * What a file looks like that is in no known format: the shape of its JSON with `…` for every text, or that it is
 * none. Words of the file itself are names of fields only.
 *
 * @returns the end of a sentence
 */
export function fileShape(text: string): string {
  if (text.trim() === '') return 'an empty file';
  if (text.includes('\0')) return 'a file that is no text';
  const whole = parse(text);
  if (whole !== undefined) {
    return objectionToValue(whole) === undefined
      ? `JSON like ${sketch(whole, deepest)}`
      : 'JSON that is nested too deep to be read';
  }
  const lines = text.split('\n', mostLinesTried).filter((line) => line.trim() !== '');
  const first = lines.map(parse).find(isFields);
  if (first !== undefined && lines.length > 1) return `lines of JSON like ${sketch(first, deepest)}`;
  if (!/^\s*[[{]/.test(text)) return 'plain text';
  return `JSON that is broken on line ${jsonLines(text).brokenAt ?? 1}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function sketch(value: unknown, depth: number): string {
  if (typeof value === 'string') return '"…"';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return depth === 0 ? '[…]' : `[${value.length} × ${sketch(value[0], depth - 1)}]`;
  }
  if (!isFields(value)) return String(value);
  const fields = Object.entries(value);
  if (fields.length === 0) return '{}';
  if (depth === 0) return '{…}';
  const named = fields
    .slice(0, mostFields)
    .map(([name, field]) => `"${plain(name)}": ${sketch(field, depth - 1)}`);
  return `{${[...named, ...(fields.length > mostFields ? ['…'] : [])].join(', ')}}`;
}

function plain(name: string): string {
  const visible = name.replace(/[\p{C}\p{Z}]+/gu, ' ');
  return visible.length > longestName ? `${visible.slice(0, longestName - 1)}…` : visible;
}
