import { Tiktoken } from 'js-tiktoken/lite';
import ranks from 'js-tiktoken/ranks/o200k_base';
import { describe, expect, it } from 'vitest';
import { costOf, createTextRoom, isFiller, sentencesOf } from '../../../src/agent/offline/key-sentences.ts';

describe('filler', () => {
  describe('a sentence that fills', () => {
    it.each([
      ['an announcement', 'Let me verify the result.'],
      ['an announcement behind praise', "Great! Now I'll look at the next file."],
      ['an announcement in Chinese', '让我看看结果。'],
      ['a lead without what follows', 'Looking at the code:'],
      ['a lead, whatever it names', 'The failing tests in `store.test.ts` are:'],
      ['an offer', 'How can I assist you today?'],
      ['a courtesy', 'Let me know if you would like anything else changed.'],
      ['that something is done', 'The edit is complete.'],
      ['a thought given up', 'wait, the New Session container is a flex row'],
      ['a thought that breaks off', 'So the container is…'],
      ['half of something quoted', 'items-center gap-1`, the visual order'],
      ['half of a bracket', 'The area below (the scroll area'],
      ['what stood behind a bracket', ') and the rest of it'],
    ])('is %s', (_name, sentence) => {
      expect(isFiller(sentence)).toBe(true);
    });

    it.each([
      ['a fact', 'The lock is a folder, because mkdir either creates it or fails.'],
      ['a plan that names what it is about', "I'll move the timer into `lease.ts`."],
      ['a result with a number', 'All 37 tests pass.'],
      ['a reason', 'The renewal fails because the clock runs backwards after a resume.'],
      ['a question about the work', 'Should an expired lease be renewed or refused?'],
      ['a fact in Chinese', '锁是一个文件夹，创建成功就拿到了锁。'],
    ])('is not %s', (_name, sentence) => {
      expect(isFiller(sentence)).toBe(false);
    });
  });
});

describe('text room', () => {
  describe('the estimated cost of a string', () => {
    const tokenizer = new Tiktoken(ranks);

    it.each([
      'The quick brown fox jumps over the lazy dog, again and again.',
      '锁文件在续期之前就过期了，因为时钟读取得太早。',
      'Der Schlüssel für die Übergrößenträger läßt grüßen.',
      '- src/compaction/strategies/tool-result-hiding.ts\n- test/agent/openai/scripted-server.ts\n',
      'TypeError: Cannot read properties of undefined (reading "0") at Object.<anonymous> (/a/b.ts:12:7)',
      'npm exec -c "vitest run --project unit test/agent" && git log --oneline -n 20 | head',
      '🎉👩‍👩‍👧‍👦🇩🇪 done',
      '{"a":[1,2,3],"b":{"c":null}}',
      '2026-11-20T10:15:30.123Z 0.5 1e-9 4294967296',
    ])('is not below what it really takes: %s', (text) => {
      expect(costOf(text)).toBeGreaterThanOrEqual(tokenizer.encode(text, [], []).length);
    });
  });

  describe('room for text', () => {
    it('gives what there is, in characters and in tokens', () => {
      const room = createTextRoom(10, 100);
      expect(room.take('12345678901')).toBe(false);
      expect(room.take('123456')).toBe(true);
      expect(room.take('12345')).toBe(false);
      expect(createTextRoom(100, 5).take('锁文件过期')).toBe(false);
    });

    it('has parts that leave it as it is', () => {
      const room = createTextRoom(10, 10);
      expect(room.part(0.5).take('abcde')).toBe(true);
      expect(room.take('abcdefghij')).toBe(true);
    });
  });
});

describe('the sentences of a reply', () => {
  it('are neither quotes nor reports of checks', () => {
    const reply = `The cache was off in the lexer.
> The sub-agent found two more places.
- ✅ Lint: 0 issues in 12 files
- ❌ **Tests** fail in parser.ts
- ✅ Added a counter to the parser`;
    expect(sentencesOf(reply)).toEqual([
      'The cache was off in the lexer.',
      '✅ Added a counter to the parser',
    ]);
  });

  it('tell nothing where they only announce an attempt, whatever they name', () => {
    expect(isFiller("Let's try `readToken()` in parser.ts instead.")).toBe(true);
    expect(isFiller('Let me check src/lexer.ts for it.')).toBe(true);
    expect(isFiller('`readToken()` in parser.ts reads every token once.')).toBe(false);
  });
});
