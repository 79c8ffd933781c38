import { describe, expect, it } from 'vitest';
import { tellingSentences } from '../../../src/compaction/ledger/telling-sentences.ts';

describe('the informative sentences of a reply', () => {
  it('state an action or a finding, and are clear alone', () => {
    const reply = `I'll start with the lexer.

## Result
The cache was off, so every token was read twice by \`readToken()\`. I turned it on and fixed the counter in src/parser.ts.

- **Lexer:** nothing was changed
- Added a counter to [parser.ts](/srv/src/parser.ts:12).

Would you like me to commit it?`;
    expect(tellingSentences(reply)).toEqual([
      'The cache was off, so every token was read twice by `readToken()`.',
      'I turned it on and fixed the counter in src/parser.ts.',
      'Added a counter to parser.ts.',
    ]);
  });

  it('are found in Chinese and German, too', () => {
    expect(tellingSentences('缓存已关闭，每个词读了两次 `token`。要我提交吗？')).toEqual([
      '缓存已关闭，每个词读了两次 `token`。',
    ]);
    expect(
      tellingSentences('Der Cache war aus, weil `cache` falsch gesetzt war. Soll ich weitermachen?'),
    ).toEqual(['Der Cache war aus, weil `cache` falsch gesetzt war.']);
  });

  it.each([
    ['a question', 'Should the expired lease in `lease.ts` be renewed or was it refused?'],
    ['an announcement', "I'll move the timer that was in `lease.ts`."],
    ['an announcement in the midst of work', 'I’m checking what was changed in `lease.ts`.'],
    ['a courtesy', 'I apologize that `lease.ts` was wrong.'],
    ['an answer to the user', 'You can see that it is fixed in `lease.ts` now.'],
    ['a proposal', 'The timer in `lease.ts` should be moved before it is read.'],
    ['a piece of advice', 'Use the timer of `lease.ts` that was added.'],
    ['a label', 'Function: the timer in `lease.ts` is part of the lock.'],
    ['a sentence about what stood before it', 'This is why the test in `lease.ts` failed.'],
    [
      'a sentence about something that was numbered elsewhere',
      'The fix for issue #4 was made in `lease.ts`.',
    ],
    ['a sentence about an option of a list', 'The timer is what option B changed in `lease.ts`.'],
    ['a sentence about what is below', 'The table below is what was found in `lease.ts`.'],
    ['a lead', 'Here is what was changed in `lease.ts`:'],
    ['half of a bracket', 'The area was found (in `lease.ts` alone.'],
    ['a thought that breaks off', 'So the container in `lease.ts` was…'],
    ['a heading', '## The timer of `lease.ts` was changed'],
    ['a line of a table', '| lease.ts | was fixed. |'],
    ['code', '```\nIt was fixed in the code of lease.ts.\n```'],
    ['a quote', '> The timer was found in `lease.ts`.'],
    ['that something is done', 'The edit is complete.'],
    ['praise of the own work', 'Everything in `lease.ts` is working now!'],
    ['a text without an end', `The timer ${'of the timer '.repeat(40)}is in \`lease.ts\`.`],
  ])('exclude: %s', (_name, reply) => {
    expect(tellingSentences(reply)).toEqual([]);
  });
});
