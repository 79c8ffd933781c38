/** Replaces the lines of a file that begin and end like a block. @returns undefined if their place is unclear */
export function withCodeInPlace(file: string, block: string): string | undefined {
  const code = block.replaceAll('\r\n', '\n').replace(/^\n+/, '').trimEnd();
  if (code === '') return undefined;
  if (file.trim() === '') return `${code}\n`;
  const lineEnd = file.includes('\r\n') ? '\r\n' : '\n';
  const lines = file.split(lineEnd);
  const written = code.split('\n');
  const [opening = '', closing = ''] = [written[0], written.at(-1)];
  if (written.length < 2) return undefined;
  const start = onlyIndex(lines, (line) => line.trim() === opening.trim());
  if (start === undefined) return undefined;
  // Closing braces are frequent, so the indentation must equal the indentation of the opening line.
  const indent = indentOf(lines[start] ?? '');
  const shift = shifted(indentOf(opening), indent);
  const end = lines.findIndex((line, index) => index > start && line.trimEnd() === shift(closing).trimEnd());
  if (end < 0) return undefined;
  return [...lines.slice(0, start), ...written.map(shift), ...lines.slice(end + 1)].join(lineEnd);
}

function onlyIndex(lines: readonly string[], fits: (line: string) => boolean): number | undefined {
  const first = lines.findIndex(fits);
  return first < 0 || lines.findLastIndex(fits) !== first ? undefined : first;
}

function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

function shifted(from: string, to: string): (line: string) => string {
  return (line) => {
    if (line.trim() === '') return '';
    return line.startsWith(from) ? `${to}${line.slice(from.length)}` : line;
  };
}
