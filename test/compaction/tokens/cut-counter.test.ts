import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type CountTokens,
  encodingCounter,
  encodingNames,
  loadEncoding,
} from '../../../src/compaction/tokens/token-counter.ts';
import { textOfCut } from '../../../src/compaction/text/clip.ts';
import { cutsOfOneText } from '../../support/cuts.ts';
import { soak } from '../../support/soak.ts';

const unit = fc.constantFrom(
  ...['the', ' store', 'Ab', 'A', ' ', '\n', '\r\n ', '   ', '1', '汉', '😀', '\ud83d', '\ude00', '𝐀'],
  ...["'s", '=', '/', '\u0301', '\ufeff', '<|endoftext|>', '__proto__', 'x'.repeat(70), '汉'.repeat(40)],
);
const run = fc.tuple(unit, fc.integer({ min: 1, max: 90 })).map(([one, times]) => one.repeat(times));
const cuts = cutsOfOneText(
  fc.array(run, { maxLength: 12 }).map((runs) => runs.join('')),
  fc.oneof(fc.constant(''), unit),
);

describe.each(encodingNames)('a count of cut texts with %s', (name) => {
  const counter = encodingCounter(name);
  let count: CountTokens;
  beforeAll(async () => {
    count = await loadEncoding(name);
  });

  it('equals the count of the remaining text, for any cuts of the same text', async () => {
    await fc.assert(
      fc.asyncProperty(cuts, async (some) => {
        const expected = some.map((cut) => count(textOfCut(cut)));
        expect(await counter.countCuts?.(some)).toEqual(expected);
      }),
      { numRuns: soak(100, 1_000) },
    );
  });

  it('distinguishes different texts of the same owner', async () => {
    const owner = {};
    for (const whole of ['one '.repeat(200), 'two\n'.repeat(200), 'one '.repeat(200)]) {
      const next = { whole, head: 300, tail: 500, middle: '…', owner };
      expect(await counter.countCuts?.([next])).toEqual([count(textOfCut(next))]);
    }
  });
});
