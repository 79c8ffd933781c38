/**
 * A text without the thinking that a model left in it, in tags. Every search goes on where the last one ended, so that
 * no text takes more time than its length.
 *
 * @param until what the answer begins with, as a global expression: thoughts behind that are part of it
 * @param takesOpenOnes whether a thought without an end takes the rest of the text with it, or stays
 */
export function withoutThoughts(
  text: string,
  { until, takesOpenOnes = false }: { readonly until?: RegExp; readonly takesOpenOnes?: boolean },
): string {
  const opening = /<(think|thinking|analysis|scratchpad)>/gi;
  const endless = new Set<string>();
  const kept: string[] = [];
  let from = 0;
  let answer = -1;
  for (let tag = opening.exec(text); tag !== null; tag = opening.exec(text)) {
    if (until !== undefined && answer < from) answer = nextPlace(until, text, from);
    if (answer >= 0 && answer < tag.index) break;
    const name = (tag[1] ?? '').toLowerCase();
    const closing = new RegExp(`</${name}>`, 'gi');
    const end = endless.has(name) ? Infinity : nextPlace(closing, text, tag.index);
    if (end === Infinity) {
      if (takesOpenOnes) return kept.join('') + text.slice(from, tag.index);
      endless.add(name);
      continue;
    }
    kept.push(text.slice(from, tag.index));
    from = closing.lastIndex;
    opening.lastIndex = from;
  }
  return kept.join('') + text.slice(from);
}

/** Where an expression is found next, with its `lastIndex` behind that; infinitely far where it is not. */
function nextPlace(expression: RegExp, text: string, from: number): number {
  expression.lastIndex = from;
  return expression.exec(text)?.index ?? Infinity;
}
