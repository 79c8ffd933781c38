/** The lines of a text, each with its line end; the last one may have none. */
export function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]+\n?|\n/g) ?? [];
}

/** A line without its line end. */
export function contentOf(line: string): string {
  if (line.endsWith('\r\n')) return line.slice(0, -2);
  return line.endsWith('\n') ? line.slice(0, -1) : line;
}

export type LineEnd = '\n' | '\r\n';

/** The line end that most lines of a text have; a line feed where there is none. */
export function lineEndOf(text: string): LineEnd {
  const all = text.match(/\n/g)?.length ?? 0;
  const withReturn = text.match(/\r\n/g)?.length ?? 0;
  return withReturn > all - withReturn ? '\r\n' : '\n';
}

/** A text with line feeds only; a carriage return that ends no line stays. */
export function withLineFeeds(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** A byte order mark, as it stands at the beginning of some files. */
export const byteOrderMark = '\ufeff';

/** A text in two: its byte order mark, or nothing, and the rest. */
export function splitMark(text: string): readonly [mark: string, body: string] {
  return text.startsWith(byteOrderMark) ? [byteOrderMark, text.slice(1)] : ['', text];
}

/**
 * Lines as `read_file` shows them: each with its number and a tab before it.
 *
 * @param first index of the first line
 * @param end index behind the last line
 */
export function numberedLines(lines: readonly string[], first: number, end: number): readonly string[] {
  return lines.slice(first, end).map((line, index) => `${first + index + 1}\t${contentOf(line)}`);
}

/** A stretch of lines for a sentence: `line 7`, `lines 7–9`. Takes indices, the end is behind the last. */
export function lineRange(first: number, end: number): string {
  return end - first <= 1 ? `line ${first + 1}` : `lines ${first + 1}–${end}`;
}
