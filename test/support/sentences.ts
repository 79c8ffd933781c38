import type { Sentence } from '../../src/language/sentence.ts';

/** A sentence that is in no table, so it has the same words in every language. */
export function said(english: string): Sentence {
  return { key: 'test.said', values: {}, english };
}
