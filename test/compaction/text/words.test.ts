import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  identifierParts,
  isSingleCharacter,
  segmentsOf,
  termsOf,
  wordPlaces,
  wordFinder,
  wordsOf,
} from '../../../src/compaction/text/words.ts';

describe('terms', () => {
  it.each([
    ['are words in lower case', 'The rename FAILS', ['the', 'rename', 'fails']],
    [
      'are identifiers and their parts',
      'parseHTTPReply read_file',
      ['parsehttpreply', 'parse', 'http', 'reply', 'read_file', 'read', 'file'],
    ],
    ['are the names in a path', 'src/lock.ts:40', ['src', 'lock', 'ts', '40']],
    ['are the letters and the numbers of a code', 'utf8', ['utf8', 'utf', '8']],
    ['are pairs of Chinese characters, and the last character', '仓库恢复', ['仓库', '库恢', '恢复', '复']],
    ['are pairs in Japanese', 'ロックの', ['ロッ', 'ック', 'クの', 'の']],
    ['are pairs in Korean', '저장소 잠금', ['저장', '장소', '소', '잠금', '금']],
    [
      'are words and pairs in mixed text',
      '用parseTree解析',
      ['用', '解析', '析', 'parsetree', 'parse', 'tree'],
    ],
    ['are the same for full-width letters', 'ＡＰＩ', ['api']],
    ['are unchanged words of other scripts', 'réouvrir файл', ['réouvrir', 'файл']],
    ['are not found in punctuation', '</> 😀 ---', []],
    ['are not found in data without word borders', 'x'.repeat(101), []],
  ])('%s', (_name, text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  it('may be a single character of a script without spaces', () => {
    expect(['锁', '锁定', 'a', ''].map(isSingleCharacter)).toEqual([true, false, false, false]);
  });
});

describe('words used to compare texts', () => {
  it.each([
    ['are in lower case, with whole identifiers', 'Rename readFile', ['rename', 'readfile']],
    ['have at least the given number of characters', 'to the lock', ['the', 'lock']],
    ['exclude the sign before a variable', '$HOME', ['home']],
    ['are pairs of Chinese characters', '仓库恢复', ['仓库', '库恢', '恢复']],
    ['can be a single Chinese character', '用 parse 解析', ['用', 'parse', '解析']],
    ['end where another script begins', '用parse解析', ['用', 'parse', '解析']],
    ['are not found in punctuation', '·、。-', []],
  ])('%s', (_name, text, words) => {
    expect(wordsOf(text, 3)).toEqual(words);
  });
});

describe('wordFinder', () => {
  const text = fc
    .array(
      fc.oneof(
        fc.constantFrom('Lock', 'LOCK', 'store', 'read_file', 'is', 'İs', 'ſtore', '仓库', 'x'.repeat(40)),
        fc.string({ maxLength: 8 }),
        fc.constantFrom(' ', '-', '\n', '→', '②', '✗'),
      ),
    )
    .map((pieces) => pieces.join(''));

  it('finds the words that two texts share', () => {
    fc.assert(
      fc.property(text, text, fc.nat(4), (sought, searched, shortest) => {
        const words = new Set(wordsOf(sought, shortest));
        const found = wordFinder(words, shortest)(searched);
        expect(found).toEqual(new Set(wordsOf(searched, shortest).filter((word) => words.has(word))));
      }),
    );
  });
});

describe('words with positions', () => {
  it('are returned as written', () => {
    expect(wordPlaces('a $name, 仓库')).toEqual([
      { word: 'a', index: 0 },
      { word: '$name', index: 2 },
      { word: '仓库', index: 9 },
    ]);
  });
});

describe('the parts of an identifier', () => {
  it('include its numbers', () => {
    expect(identifierParts('utf8Parser_HTTPReply')).toEqual(['utf8', 'parser', 'http', 'reply']);
  });
});

describe('segments', () => {
  it('are words and the text between them', () => {
    const words = segmentsOf('the lock').map(({ text, isWord }) => [text, isWord]);
    expect(words).toEqual([
      ['the', true],
      [' ', false],
      ['lock', true],
    ]);
  });
});
