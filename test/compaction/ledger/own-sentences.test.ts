import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proseSentences, requestIn } from '../../../src/compaction/ledger/own-sentences.ts';

describe('a typed text', () => {
  it.each(['ok', 'Yes, go ahead!', '/undo', '/diff', '[Image: source: /var/x.png]', '继续'])(
    'is no request: %s',
    (text) => {
      expect(requestIn(text)).toBe('');
    },
  );

  it('is one without the lines for pictures', () => {
    expect(requestIn('[Image: source: /var/x.png]\nWhy is this red?')).toBe('Why is this red?');
    expect(requestIn('/review the parser')).toBe('/review the parser');
  });
});

describe('the sentences of prose', () => {
  it('end at their marks, in scripts with and without spaces', () => {
    expect(proseSentences('Keep it small, e.g. one file. Really! 保持简单。不要拆分')).toEqual([
      'Keep it small, e.g. one file.',
      'Really!',
      '保持简单。',
      '不要拆分',
    ]);
  });

  it('go on over lines that were broken within one, and not into the next item of a list', () => {
    const broken = 'Never commit anything that has not been reviewed by two others';
    expect(proseSentences(`${broken}\nof the team.\n\n1. Run the tests\n2. **Stop**`)).toEqual([
      `${broken} of the team.`,
      'Run the tests',
      'Stop',
    ]);
  });

  it('are neither code nor quoted lines', () => {
    expect(proseSentences('Look:\n```\nNever stop.\n```\n> Always stop.\nThanks.')).toEqual([
      'Look:',
      'Thanks.',
    ]);
  });

  it('are all in the text, on one line each', () => {
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
