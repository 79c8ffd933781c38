import { describe, expect, it } from 'vitest';
import { isFiller } from '../../../src/agent/offline/filler.ts';

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
