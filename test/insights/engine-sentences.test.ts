import { describe, expect, it } from 'vitest';
import type { ReasonCode } from '../../src/compaction/records/record.ts';
import { chineseEngineSentences } from '../../src/insights/chinese-engine-sentences.ts';
import { reasonSubjects, reasonText } from '../../src/insights/engine-sentences.ts';
import { sentenceLookup } from '../../src/insights/known-sentences.ts';

const lookup = sentenceLookup(chineseEngineSentences);
const inChinese = (english: string): string => lookup(english) ?? english;
const inEnglish = (english: string): string => english;
const codes = Object.keys(reasonSubjects) as readonly ReasonCode[];
const english = Object.keys(chineseEngineSentences);

describe('the Chinese of what the engine said before', () => {
  it('is filled in with the same in both languages', () => {
    const holesIn = (text = '') => [...text.matchAll(/\{#?(\d+)\}/gu)].map(([, name]) => name).sort();
    const differing = english.filter(
      (key) => holesIn(chineseEngineSentences[key]).join() !== holesIn(key).join(),
    );
    expect(differing).toEqual([]);
  });
});

describe('a reason', () => {
  it.each(codes)('says what it is about where its words are somebody else’s: %s', (code) => {
    const reason = { code, message: 'quota exceeded' };
    expect(reasonText(reason, inChinese)).toMatch(/^\p{Script=Han}+.*：quota exceeded$/u);
    expect(reasonText(reason, inEnglish)).toBe('quota exceeded');
  });
});
