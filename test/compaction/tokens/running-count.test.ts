import fc from 'fast-check';
import o200k from 'js-tiktoken/ranks/o200k_base';
import cl100k from 'js-tiktoken/ranks/cl100k_base';
import { describe, expect, it } from 'vitest';
import { ExactCounter } from '../../../src/compaction/tokens/exact-counter.ts';
import { PieceCounter } from '../../../src/compaction/tokens/piece-counter.ts';
import { RunningCount } from '../../../src/compaction/tokens/running-count.ts';
import { scanTables } from '../../../src/compaction/tokens/split-patterns.ts';
import { Vocabulary } from '../../../src/compaction/tokens/vocabulary.ts';
import { soak } from '../../support/soak.ts';

describe.each([
  ['o200k_base', o200k],
  ['cl100k_base', cl100k],
])('a running count of %s', (_name, file) => {
  const count = new ExactCounter(file).count;
  const running = new RunningCount(scanTables.get(file.pat_str)!, new PieceCounter(new Vocabulary(file)));

  it('is exact after every added part', () => {
    const part = fc.oneof(
      fc.constantFrom(
        'the',
        ' store',
        "'",
        's',
        're',
        ' ',
        '\n',
        '\r',
        '1',
        '!',
        '/',
        '汉',
        'AB',
        'c',
        '\u0301',
      ),
      fc.constantFrom('\ud83d', '\ude00', ' \n', '', '   '),
      fc.string({ unit: 'binary', maxLength: 5 }),
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 30 }), (parts) => {
        running.clear();
        let text = '';
        for (const next of parts) {
          text += next;
          running.add(next);
          expect(running.total()).toBe(count(text));
        }
      }),
    );
  });

  it('is exact wherever a text is split, even inside characters and very long pieces', () => {
    const unit = fc.constantFrom(
      'a',
      'Ab',
      '汉',
      'A',
      ' ',
      '\n ',
      '😀',
      '𝐚',
      '𝐀',
      '=',
      '/\n',
      'e\u0301',
      "'r",
      '1',
    );
    const run = fc.tuple(unit, fc.integer({ min: 1, max: 60 })).map(([one, times]) => one.repeat(times));
    const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.array(run, { minLength: 1, maxLength: 6 }), cuts, (runs, lengths) => {
        const text = runs.join('');
        running.clear();
        for (let at = 0, index = 0; at < text.length; index++) {
          const end = Math.min(text.length, at + lengths[index % lengths.length]!);
          running.add(text, at, end);
          expect(running.total()).toBe(count(text.slice(0, end)));
          at = end;
        }
      }),
      { numRuns: soak(100, 1_000) },
    );
  });

  it.each([
    ['words', 'word ', 40],
    ['one word', 'abcd', 40],
    ['one character', ' ', 40],
    ['a piece that could become two pieces', '汉'.padEnd(30_000, 'A'), 40],
    ['halves of characters', '😀'.repeat(3) + '\ud83d', 100],
  ])('reads each byte only a few times, even in long texts: %s', (_name, unit, most) => {
    const text = unit.repeat(Math.ceil(40_000 / unit.length));
    let read = 0;
    const table = scanTables.get(file.pat_str)!;
    const counted = new RunningCount(
      new Proxy(table, {
        get(target, key) {
          if (typeof key === 'string' && /^\d+$/.test(key)) read++;
          return Reflect.get(target, key) as unknown;
        },
      }),
      new PieceCounter(new Vocabulary(file)),
    );
    for (let at = 0; at < text.length; at += 4) {
      counted.add(text.slice(at, at + 4));
      counted.total();
    }
    expect(read / text.length).toBeLessThan(most);
  });
});
