import { headOf } from '../../compaction/clip.ts';

/** Longest text of a call that a person is shown, in characters. */
export const longestLabel = 120;

/** Of a call of a tool that nobody here knows, the arguments that say most: short texts and numbers, in order. */
export function argumentWords(input: Readonly<Record<string, unknown>>): string {
  const words = Object.values(input).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  const line = words.join(' · ').replace(/\s+/g, ' ').trim();
  return line.length <= longestLabel ? line : `${headOf(line, longestLabel - 1)}…`;
}
