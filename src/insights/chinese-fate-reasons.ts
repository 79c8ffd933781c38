import type { SentenceTable } from './known-sentences.ts';

/** Why something became of a message, and what a record warns of, in Simplified Chinese. */
export const chineseFateReasons: SentenceTable = {
  'summarised by {0}': '由 {0} 撰写摘要',
};
