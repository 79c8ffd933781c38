import type { Phrase } from '../../../compaction/records/record.ts';
import { ellipsised } from '../../../compaction/text/clip.ts';
import type { Sentence, SentenceValue } from '../../../language/sentence.ts';

/** Longest label of a call that a person is shown, in characters. */
export const longestLabel = 120;

/** A label in one line of limited length. */
export function labelOf(words: string): string {
  const line = words.replace(/\s+/g, ' ').trim();
  return ellipsised(line, longestLabel);
}

/** A label whose values take little room, too, whatever a model put into the arguments of its call. */
export function shortened(phrase: Phrase): Phrase {
  if (typeof phrase === 'string') return labelOf(phrase);
  const values = Object.entries(phrase.values).map(([name, value]): [string, SentenceValue] => [
    name,
    typeof value === 'number' || isList(value) ? value : shortened(value),
  ]);
  return { ...phrase, values: Object.fromEntries(values), english: labelOf(phrase.english) };
}

const isList = (value: string | Sentence | readonly Sentence[]): value is readonly Sentence[] =>
  Array.isArray(value);

/** The arguments of a call to a tool we do not know that say most: strings and numbers, in order. */
export function argumentWords(input: Readonly<Record<string, unknown>>): string {
  const words = Object.values(input).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return labelOf(words.join(' · '));
}
