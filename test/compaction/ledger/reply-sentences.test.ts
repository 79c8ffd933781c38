import { describe, expect, it } from 'vitest';
import { lastFinding } from '../../../src/compaction/ledger/reply-sentences.ts';

describe('the last finding of a reply', () => {
  it('is its last sentence that says what was done or found', () => {
    const reply = `I'll start with the lexer.

## Result
The cache was off, so every token was read twice. I turned it on and fixed the counter.

Would you like me to commit it?`;
    expect(lastFinding(reply)).toBe('I turned it on and fixed the counter.');
    expect(lastFinding('缓存已关闭，每个词读了两次。要我提交吗？')).toBe('缓存已关闭，每个词读了两次。');
  });

  it.each([
    'Let me think about what is wrong here.',
    "I'll start by looking at what was changed.",
    '## What was done',
    'Here is what was changed:',
    'What was it that failed there?',
    'You can see that it is fixed now.',
    '```\nIt was fixed in the code.\n```',
    'Done.',
  ])('is not: %s', (reply) => {
    expect(lastFinding(reply)).toBeUndefined();
  });
});
