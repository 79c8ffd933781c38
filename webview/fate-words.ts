import type { Fate } from '../src/compaction/record.ts';
import { localised } from './locale.ts';

type FateWords = Readonly<Record<Fate, string>>;

export const englishFateWords: FateWords = {
  keep: 'kept',
  hide: 'hidden',
  clip: 'clipped',
  offload: 'offloaded',
  drop: 'dropped',
  summarise: 'summarised',
  insert: 'inserted',
};

export const chineseFateWords: FateWords = {
  keep: '保留',
  hide: '隐藏',
  clip: '截短',
  offload: '移入存档',
  drop: '移除',
  summarise: '并入摘要',
  insert: '新增',
};

/** What became of messages, in a word or two. */
export const fateWords = localised({ english: englishFateWords, chinese: chineseFateWords });

/** The same where it stands alone. */
export function fateName(fate: Fate): string {
  const word = fateWords[fate];
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}
