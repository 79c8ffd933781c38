import { chineseTemplates } from './chinese.ts';
import { engineSentences } from './engine-english.ts';
import type { Catalogue, SentenceTable } from './sentence.ts';

/** Every area's sentences. */
const catalogues: readonly Pick<Catalogue<SentenceTable>, 'area' | 'english'>[] = [engineSentences];

/** Keys of the sentences that have no Simplified Chinese and are shown in English. */
export function untranslatedSentences(): readonly string[] {
  return catalogues.flatMap(({ area, english }) =>
    Object.keys(english)
      .map((key) => `${area}.${key}`)
      .filter((key) => !chineseTemplates.has(key)),
  );
}
