import type { SentenceTable } from './known-sentences.ts';

/** Why a compaction, or a step of one, did nothing, was refused or failed, in Simplified Chinese. */
export const chineseOutcomes: SentenceTable = {
  'The summarising model failed: {0}': '撰写摘要的模型失败：{0}',

  'A summary has no source.': '有一份摘要没有来源。',
};
