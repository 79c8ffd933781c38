import { describe, expect, it } from 'vitest';
import { answeringSentence } from '../../../src/compaction/ledger/telling-sentences.ts';

describe('the sentence of a reply that answers the request', () => {
  it.each([
    ['No — we cannot remove it. The lexer reads it.', 'No — we cannot remove it.'],
    ['No findings in the current diff.', 'No findings in the current diff.'],
    ["You're right - that would probably be better.", "You're right - that would probably be better."],
    ['I read the code. Your report holds up well.\n\n## More', 'Your report holds up well.'],
    ['Pushed successfully.', 'Pushed successfully.'],
    ['Reviewed the branch. The fix is correct.', 'The fix is correct.'],
    ['Good question! The cache in `lexer.ts` was off.', 'The cache in `lexer.ts` was off.'],
    ['Added a counter to [parser.ts](/srv/src/parser.ts:12).', 'Added a counter to parser.ts.'],
    ['缓存已关闭，每个词读了两次 `token`。要我提交吗？', '缓存已关闭，每个词读了两次 `token`。'],
    ['Der Cache war aus, weil `cache` falsch war. Weiter?', 'Der Cache war aus, weil `cache` falsch war.'],
  ])('is the first sentence of the first paragraph that states a fact: %s', (reply, sentence) => {
    expect(answeringSentence(reply)).toBe(sentence);
  });

  it.each([
    ['a question', 'Should the expired lease in `lease.ts` be renewed or was it refused?'],
    ['an announcement', "I'll move the timer that was in `lease.ts`."],
    ['an announcement during work', 'I’m checking what was changed in `lease.ts`.'],
    ['a courtesy', 'I apologize that `lease.ts` was wrong.'],
    ['an answer to the user', 'You can see that it is fixed in `lease.ts` now.'],
    ['a proposal', 'The timer in `lease.ts` should be moved before it is read.'],
    ['a piece of advice', 'Use the timer of `lease.ts` that was added.'],
    ['a label', 'Function: the timer in `lease.ts` is part of the lock.'],
    ['a sentence about a number from elsewhere', 'The fix for issue #4 was made in `lease.ts`.'],
    ['a sentence about an option of a list', 'The timer is what option B changed in `lease.ts`.'],
    ['a sentence about the text below it', 'The table below is what was found in `lease.ts`.'],
    ['a lead', 'Here is what was changed in `lease.ts`:'],
    ['a sentence with an open bracket', 'The area was found (in `lease.ts` alone.'],
    ['a thought that breaks off', 'So the container in `lease.ts` was…'],
    ['a heading', '## The timer of `lease.ts` was changed'],
    ['a line of a table', '| lease.ts | was fixed. |'],
    ['code', '```\nIt was fixed in the code of lease.ts.\n```'],
    ['a quote', '> The timer was found in `lease.ts`.'],
    ["praise of the assistant's own work", 'Everything in `lease.ts` is working now!'],
    ['a text without an end', `The timer ${'of the timer '.repeat(40)}is in \`lease.ts\`.`],
    ['the result of a check', 'All the tests in `lease.ts` passed.'],
    ['a later paragraph', 'Let me look.\n\nThe timer in `lease.ts` was off.'],
    ['an item of a list', 'The findings:\n- The timer in `lease.ts` was off.'],
  ])('is not %s', (_name, reply) => {
    expect(answeringSentence(reply)).toBeUndefined();
  });
});
