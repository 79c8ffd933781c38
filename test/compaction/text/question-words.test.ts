import { describe, expect, it } from 'vitest';
import { isQuestion, stemOf } from '../../../src/compaction/text/question-words.ts';

describe('isQuestion', () => {
  it.each(['When did the lock hang?', 'why is it slow', '锁文件为什么没有删除', 'the port?  or the host'])(
    'recognises %j as a question',
    (query) => {
      expect(isQuestion(query)).toBe(true);
    },
  );

  it.each(['lock folder', 'readFileSync', 'ENOENT src/lock.ts', '锁文件', 'x?.y'])(
    'treats %j as search words',
    (query) => {
      expect(isQuestion(query)).toBe(false);
    },
  );
});

describe('stemOf', () => {
  it.each([
    ['painted', 'paint'],
    ['painting', 'paint'],
    ['stories', 'story'],
    ['running', 'run'],
    ['us', 'us'],
    ['仓库', '仓库'],
  ])('returns the stem of %s: %s', (word, stem) => {
    expect(stemOf(word)).toBe(stem);
  });
});
