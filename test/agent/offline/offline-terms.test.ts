import { describe, expect, it } from 'vitest';
import { growth } from '../../support/growth.ts';
import { commonStart, partsOf, questionTermsOf } from '../../../src/agent/offline/offline-terms.ts';

const textsOf = (question: string) => questionTermsOf(question).terms.map(({ text }) => text);

describe('the terms of a question', () => {
  it.each([
    ['How does the FileLock release its handle?', 'FileLock'],
    ['Where is `originalOf` defined?', 'originalOf'],
    ['Why is max_tokens ignored?', 'max_tokens'],
    ['What calls lock.acquire() here?', 'lock.acquire'],
    ['Who sets MAX_RETRIES?', 'MAX_RETRIES'],
    ['Where does "result hidden" come from?', 'result hidden'],
    ['FileLock 是什么？', 'FileLock'],
    ['文件锁是如何实现的？', '文件锁'],
    ['压缩策略在哪里定义', '压缩策略'],
  ])('of %s begin with %s', (question, term) => {
    expect(textsOf(question)[0]).toBe(term);
  });

  it('exclude words that occur in any question', () => {
    expect(textsOf('Could you please tell me where the lock is and how it works?')).toEqual(['lock']);
    expect(textsOf('请问锁文件在哪里？')).toEqual(['锁文件']);
  });

  it('are empty for a greeting', () => {
    for (const greeting of ['hi', 'Hello there!', 'Thanks!', '你好', '谢谢', 'What can you do?', '👋', '']) {
      expect(questionTermsOf(greeting)).toEqual({ files: [], terms: [] });
    }
  });

  it('include adjacent words as a name', () => {
    const [pair] = questionTermsOf('where is the trigger ratio?').terms;
    expect(pair?.forms).toContain('triggerratio');
    expect(pair?.forms).toContain('trigger-ratio');
  });

  it('include other spellings of a name', () => {
    expect(questionTermsOf('FileLock').terms[0]?.forms).toEqual([
      'filelock',
      'file-lock',
      'file_lock',
      'file lock',
    ]);
  });

  it('include common words only if there are no other words', () => {
    expect(textsOf('the functions')).toEqual(['functions']);
    expect(textsOf('the functions of the lock')).toEqual(['lock']);
  });

  it.each([
    ['What does src/lock.ts do?', ['src/lock.ts']],
    ['Explain package.json and ./tsconfig.json', ['package.json', './tsconfig.json']],
    ["what's in .gitignore?", ['.gitignore']],
    ['list *.test.ts', ['*.test.ts']],
    ['look into src/agent/', ['src/agent/']],
    ['看一下 `docs/设计.md`', ['docs/设计.md']],
    ['read and/or write, e.g. a lock, i.e. this', []],
    ['See https://example.com/a/b.html', []],
  ])('match the files of %s', (question, files) => {
    expect(questionTermsOf(question).files).toEqual(files);
  });

  it.each(['a-', 'a.', 'a/', '`', '"', "'", 'aB', '锁', '::', '*.', '../'])(
    'are found in linear time in a hostile text of %s',
    async (piece) => {
      const ratio = await growth((size) => questionTermsOf(piece.repeat(size / piece.length)), 6_000);
      expect(ratio).toBeLessThan(10);
    },
  );
});

describe('parts of a name', () => {
  it.each([
    ['fileLockTimeout', ['file', 'lock', 'timeout']],
    ['HTTPServerError', ['http', 'server', 'error']],
    ['max_free-slots', ['max', 'free', 'slots']],
  ])('are the words in %s', (name, parts) => {
    expect(partsOf(name)).toEqual(parts);
  });
});

describe('commonStart', () => {
  it.each([
    ['locks', 'lock'],
    ['locking', 'lock'],
    ['retried', 'retr'],
    ['bus', 'bus'],
    ['trigger', 'trig'],
    ['锁', '锁'],
  ])('of %s is %s', (word, stem) => {
    expect(commonStart(word)).toBe(stem);
  });
});
