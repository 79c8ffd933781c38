/** Characters before a path that show it to be the end of a longer path. */
const withinPath = /[\p{L}\p{N}\p{M}_.~/\\-]/u;

/** Makes paths below an absolute folder relative to it, in a text or in JSON with doubled backslashes. */
export function fromFolder(text: string, folder: string | undefined): string {
  const plain = folder?.replace(/[/\\]$/u, '') ?? '';
  if (plain === '') return text;
  const inJson = JSON.stringify(plain).slice(1, -1);
  const beginnings = new Set([`${plain}/`, `${inJson}\\\\`, `${plain}\\`]);
  return [...beginnings].reduce(without, text);
}

function without(text: string, beginning: string): string {
  const pieces: string[] = [];
  let from = 0;
  for (let at = text.indexOf(beginning); at >= 0; at = text.indexOf(beginning, at + beginning.length)) {
    if (withinPath.test(text[at - 1] ?? '')) continue;
    pieces.push(text.slice(from, at));
    from = at + beginning.length;
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(from);
}
