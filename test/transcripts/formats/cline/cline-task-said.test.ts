import { describe, expect, it } from 'vitest';
import { typedRangesOf } from '../../../../src/compaction/messages/typed-parts.ts';
import { saidInTask } from '../../../../src/transcripts/formats/cline/cline-task-said.ts';

const typedIn = (texts: readonly string[], isFirst = false) => {
  const parts = saidInTask(
    texts.map((text) => ({ text })),
    isFirst,
  );
  const joined = texts.join('\n');
  return typedRangesOf(parts, { isKnown: true }).map(({ start, end }) => joined.slice(start, end));
};

describe('typed text in a message of a task', () => {
  it.each([
    ['the task', ['<task>\nfix it\n</task>', '<environment_details>x</environment_details>'], ['fix it']],
    [
      'an answer',
      ["[ask_followup_question for 'which?'] Result:", '<answer>\nthe first\n</answer>'],
      ['the first'],
    ],
    [
      'feedback on the result',
      [
        '[attempt_completion] Result:',
        'The user has provided feedback on the results. Consider it.\n<feedback>\nno\n</feedback>',
      ],
      ['no'],
    ],
    [
      'a refusal of a command',
      [
        "[execute_command for 'x'] Result:\nThe user denied this operation and provided the following feedback:\n<feedback>\nno\n</feedback>",
      ],
      ['no'],
    ],
    [
      'instructions for the continued task',
      [
        '[TASK RESUMPTION] It was interrupted.\n\nNew instructions for task continuation:\n<user_message>\ngo on\n</user_message>',
      ],
      ['go on'],
    ],
    [
      'a task after a workflow',
      ['<explicit_instructions type="x">\ny\n</explicit_instructions>\n<task>\nfix it\n</task>'],
      ['fix it'],
    ],
  ])('is %s', (_name, texts, typed) => {
    expect(typedIn(texts)).toEqual(typed);
  });

  it.each([
    ['a file with such a tag', ["[read_file for 'a'] Result:", '<feedback>\nno\n</feedback>']],
    [
      'a file that looks like a refusal',
      [
        "[read_file for 'a'] Result:",
        'The user denied this operation and provided the following feedback:\n<feedback>\nno\n</feedback>',
      ],
    ],
    [
      'a file that looks like a result',
      ["[read_file for 'a'] Result:", '[ask_followup_question] Result:\n<answer>\nno\n</answer>'],
    ],
    ['words without a tag', ['go on']],
  ])('is not %s', (_name, texts) => {
    expect(typedIn(texts)).toEqual([]);
  });

  it('is the first part of the first message if no part is marked', () => {
    expect(typedIn(['fix it', 'x'], true)).toEqual(['fix it']);
  });
});
