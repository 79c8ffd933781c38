import { parseShallow } from '../text/parse-json.ts';

/** Nesting below which a value stays JSON. */
const deepest = 50;
/** Up to this many characters together, the entries of a list share a line. */
const longestRow = 120;

/** From this many characters on, a line of JSON within a text is data, and not a line of a program. */
const shortestLine = 200;

/**
 * A text with the JSON in it, all of it or whole lines, as a person would write it down: a value a line behind its key,
 * and texts with their own lines. Nothing in it is escaped, so that it can be found, split and read like any other.
 */
export function plainText(text: string): string {
  return (
    plain(text, 0) ??
    text.replace(/^[[{].*[\]}]$/gmu, (line) => (line.length < shortestLine ? line : (plain(line, 0) ?? line)))
  );
}

function plain(json: string, depth: number): string | undefined {
  if (!/^\s*[[{]/.test(json)) return undefined;
  const parsed = parseShallow(json);
  return parsed === undefined ? undefined : written(parsed.value, depth);
}

function written(value: unknown, depth: number): string {
  if (depth >= deepest) return JSON.stringify(value);
  // Some tools answer with JSON within JSON.
  if (typeof value === 'string') return plain(value, depth + 1) ?? value;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (!Array.isArray(value)) {
    return Object.entries(value)
      .map(([key, entry]) => labelled(key, written(entry, depth + 1)))
      .join('\n');
  }
  const entries = value.map((entry) => written(entry, depth + 1));
  const row = entries.join(', ');
  if (row.length <= longestRow && !row.includes('\n')) return row;
  return entries.join(entries.some((entry) => entry.includes('\n')) ? '\n\n' : '\n');
}

function labelled(key: string, text: string): string {
  return text.includes('\n') ? `${key}:\n${text}` : `${key}: ${text}`;
}
