import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proseSentences } from '../../../src/compaction/ledger/own-sentences.ts';

describe('the sentences of prose', () => {
  it('end at punctuation, in scripts with and without spaces', () => {
    expect(proseSentences('Keep it small, e.g. one file. Really! 保持简单。不要拆分')).toEqual([
      'Keep it small, e.g. one file.',
      'Really!',
      '保持简单。',
      '不要拆分',
    ]);
  });

  it('continue across wrapped lines, but not into the next item of a list', () => {
    const broken = 'Never commit anything that has not been reviewed by two others';
    expect(proseSentences(`${broken}\nof the team.\n\n1. Run the tests\n2. **Stop**`)).toEqual([
      `${broken} of the team.`,
      'Run the tests',
      'Stop',
    ]);
  });

  it('exclude code and quoted lines', () => {
    expect(proseSentences('Look:\n```\nNever stop.\n```\n> Always stop.\nThanks.')).toEqual([
      'Look:',
      'Thanks.',
    ]);
  });

  it('contain only text of the prose, on one line each', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '.', '\n', '。', '!', '-', '1', '*') }),
        (text) => {
          const folded = text.replaceAll('**', '').replace(/\s+/gu, ' ');
          for (const sentence of proseSentences(text)) {
            expect(sentence).not.toContain('\n');
            expect(sentence.split(' ').every((word) => folded.includes(word))).toBe(true);
          }
        },
      ),
    );
  });
});
