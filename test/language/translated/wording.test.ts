import { describe, expect, it } from 'vitest';
import { strategySentences } from '../../../src/language/english/strategies-english.ts';
import { SentenceError } from '../../../src/language/sentence.ts';
import { shownLanguage } from '../../../src/language/shown-language.ts';
import { englishWording, wordingFor } from '../../../src/language/translated/wording.ts';

const nothing = strategySentences.say('nothingToFree');

describe('the language of the interface', () => {
  it.each([
    ['zh', 'zh-CN'],
    ['zh-cn', 'zh-CN'],
    ['zh-SG', 'zh-CN'],
    ['zh-Hans-HK', 'zh-CN'],
    ['zh-tw', 'en'],
    ['zh-Hant', 'en'],
    ['de', 'en'],
    ['', 'en'],
  ])('is found for the language tag %o: %s', (tag, language) => {
    expect(shownLanguage(tag)).toBe(language);
  });
});

describe('wording in English', () => {
  it('is the English text of a sentence', () => {
    expect(englishWording.text(nothing)).toBe('Nothing to free.');
  });

  it('shows the stored text of a sentence', () => {
    expect(englishWording.stored({ key: nothing.key, values: {} }, 'As it was said then.')).toBe(
      'As it was said then.',
    );
  });
});

describe('wording in Simplified Chinese', () => {
  it('translates a sentence with its values', async () => {
    const wording = await wordingFor('zh-cn');
    expect(wording.text(nothing)).toBe('没有可释放的内容。');
  });

  it('translates a stored sentence by its key', async () => {
    const wording = await wordingFor('zh-cn');
    expect(wording.stored({ key: nothing.key, values: {} }, 'Nothing to free.')).toBe('没有可释放的内容。');
  });

  it.each(['Nothing to free.', 'Run the tests. Edit the notes.'])(
    'never translates foreign text: %s',
    async (text) => {
      const wording = await wordingFor('zh-cn');
      expect(wording.stored(undefined, text)).toBe(text);
      expect(wording.error(new Error(text))).toBe(text);
    },
  );

  it.each(['engine.of-a-later-version', 'constructor', '__proto__'])(
    'shows the stored text for an unknown key: %s',
    async (key) => {
      const wording = await wordingFor('zh-cn');
      expect(wording.stored({ key, values: {} }, 'Stored.')).toBe('Stored.');
    },
  );

  it('translates an error that contains a sentence', async () => {
    const wording = await wordingFor('zh-cn');
    expect(wording.error(new SentenceError(nothing))).toBe('没有可释放的内容。');
  });
});
