import { headOf } from '../../compaction/text/clip.ts';

/** Characters of an editor's text that are attached at most; what is more would only be left out again. */
const mostCharacters = 200_000;

/**
 * A text with the number of each line in front of it, in the form that `read_file` gives files.
 *
 * @param first number of the first line
 */
export function numberedLines(
  text: string,
  first: number,
): { readonly content: string; readonly isCut: boolean } {
  const shown = headOf(text, mostCharacters);
  const lines = shown.split(/\r?\n/u);
  if (lines.length > 1 && lines.at(-1) === '') lines.pop();
  const numbered = lines.map((line, index) => `${first + index}\t${line}`).join('\n');
  const missing = text.length - shown.length;
  const isCut = missing > 0;
  const note = isCut ? `\n\n[${missing} more characters are not attached.]` : '';
  return { content: `${numbered}${note}`, isCut };
}
