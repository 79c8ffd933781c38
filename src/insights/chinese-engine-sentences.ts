import { chineseCustomOutcomes } from './chinese-custom-outcomes.ts';
import { chineseFateReasons } from './chinese-fate-reasons.ts';
import { chineseOutcomes } from './chinese-outcomes.ts';
import type { SentenceTable } from './known-sentences.ts';

/** Everything that the engine says in records, in Simplified Chinese. */
export const chineseEngineSentences: SentenceTable = {
  ...chineseFateReasons,
  ...chineseOutcomes,
  ...chineseCustomOutcomes,
};
