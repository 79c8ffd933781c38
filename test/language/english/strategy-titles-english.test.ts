import { describe, expect, it } from 'vitest';
import { rewrittenId } from '../../../src/compaction/records/record.ts';
import { strategyTitle, strategyTitles } from '../../../src/language/english/strategy-titles-english.ts';
import { englishWording, wordingFor } from '../../../src/language/translated/wording.ts';

describe('the title of a strategy', () => {
  const ofWords = Object.entries(strategyTitles.english).filter(([id]) => id !== rewrittenId);
  it.each(ofWords)('has the words of the id %s: %s', (id, title) => {
    expect(title.toLowerCase().replaceAll(' ', '-')).toBe(id);
  });

  it('is translated', async () => {
    const chinese = await wordingFor('zh-cn');
    expect(chinese.text(strategyTitle('retrieve-facts'))).toBe('提取事实');
  });

  it.each(['of-yesterday', 'constructor', '__proto__', ''])(
    'is the id of an unknown strategy: %o',
    async (id) => {
      for (const wording of [englishWording, await wordingFor('zh-cn')]) {
        expect(wording.text(strategyTitle(id))).toBe(id);
      }
    },
  );
});
