import { describe, expect, it } from 'vitest';
import { sentenceText } from '../../src/insights/health-text.ts';
import { chineseGroups, chineseSentences } from '../../src/insights/health-text-chinese.ts';
import { englishGroups, englishSentences, type SentenceKey } from '../../src/insights/health-text-english.ts';

const keys = Object.keys(englishSentences) as readonly SentenceKey[];
const namesIn = (text: string) => [...new Set(text.match(/\{\w+\}/gu) ?? [])].sort();

const share = {
  key: 'cache.share',
  values: { cachedShare: 0.456, input: 12_000, calls: 3 },
} as const;
const over = {
  key: 'allocation.over',
  values: { groups: 'conversation, toolOutput', largest: 'toolOutput', usedShare: 0.6, meantShare: 0.45 },
} as const;

describe('a sentence', () => {
  it('shows shares in per cent and other numbers as they are written', () => {
    expect(sentenceText(share)).toBe(
      '46\u00a0% of the 12,000 input tokens of 3 requests came from the provider’s cache.',
    );
  });

  it('names parts of the window in words', () => {
    expect(sentenceText(over)).toBe(
      'Over their share of the window: conversation, tool output. The largest, tool output, takes 60\u00a0% and is meant to take 45\u00a0%.',
    );
    expect(sentenceText(over, 'zh-cn')).toBe(
      '超出其上下文窗口份额的部分：对话、工具输出。其中最大的是工具输出，占 60%，而其份额为 45%。',
    );
  });

  it.each(['zh-cn', 'zh-CN', 'zh', 'zh-Hans-CN'])('is Chinese where the language is %s', (language) => {
    expect(sentenceText(share, language)).toBe(
      '3 个请求的 12,000 个输入 token 中，有 46% 来自提供方的缓存。',
    );
  });

  it.each(['en', 'zh-tw', 'de'])('is English where the language is %s', (language) => {
    expect(sentenceText({ key: 'completeness.none', values: {} }, language)).toBe(
      englishSentences['completeness.none'],
    );
  });

  it.each(keys)('is told the same in both languages: %s', (key) => {
    expect(namesIn(chineseSentences[key])).toEqual(namesIn(englishSentences[key]));
  });

  it.each(keys)('is Chinese in the Chinese ones: %s', (key) => {
    expect(chineseSentences[key]).toMatch(/\p{Script=Han}.*。$/u);
  });
});

describe('the parts of the window', () => {
  it('have names of their own in each language', () => {
    expect(Object.keys(chineseGroups)).toEqual(Object.keys(englishGroups));
    const names = [...Object.values(chineseGroups), ...Object.values(englishGroups)];
    expect(new Set(names).size).toBe(names.length);
  });
});
