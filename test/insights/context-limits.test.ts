import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LimitEvidence, limitsOf } from '../../src/insights/context-limits.ts';

const short = { window: 200_000 };
const shortIfNotAsked = { window: 200_000, otherWindow: 1_000_000 };
const longOrNot = { window: 1_000_000, otherWindow: 200_000 };
const limits = (evidence: Partial<LimitEvidence>) => limitsOf({ largest: 0, ...evidence });

describe('the window of an agent', () => {
  it.each<[string, Partial<LimitEvidence>, object]>([
    [
      'is the window stated in the session file',
      { stated: 258_400, facts: short },
      { window: 258_400, source: 'file' },
    ],
    [
      "is taken from the agent's settings if the session file states no window",
      { set: { window: 1_000_000 }, facts: shortIfNotAsked },
      { window: 1_000_000, source: 'settings' },
    ],
    [
      "is not taken from the agent's settings if a request was larger",
      { set: { window: 100_000 }, facts: short, largest: 150_000 },
      { window: 200_000, source: 'model' },
    ],
    [
      "is the model's larger window if a request did not fit the usual window",
      { facts: shortIfNotAsked, largest: 219_310 },
      { window: 1_000_000, alternatives: [], source: 'usage' },
    ],
    ['is unknown if no window fits', { facts: short, largest: 219_310 }, { alternatives: [] }],
    [
      'is either of two windows if both fit',
      { facts: longOrNot, largest: 74_767 },
      { window: 200_000, alternatives: [1_000_000], source: 'model' },
    ],
    [
      'is the window that was nearly full before an automatic compaction',
      { facts: longOrNot, largest: 173_215, automatic: 174_247 },
      { window: 200_000, alternatives: [], source: 'compaction', compactsAt: 174_247 },
    ],
    [
      "is the usual window if the model's longer window is optional",
      { facts: shortIfNotAsked },
      { window: 200_000, alternatives: [], source: 'model' },
    ],
    [
      'is the longer window if the name of the model requests it',
      { facts: shortIfNotAsked, model: 'claude-sonnet-4-5[1m]' },
      { window: 1_000_000, alternatives: [], source: 'model' },
    ],
  ])('%s', (_, evidence, expected) => {
    expect(limits(evidence)).toMatchObject(expected);
  });

  it('is never smaller than an observed request unless the session file states the window', () => {
    const size = fc.integer({ min: 1, max: 2_000_000 });
    const maybe = fc.option(size, { nil: undefined });
    const facts = fc.record({ window: maybe, otherWindow: maybe });
    fc.assert(
      fc.property(facts, size, maybe, maybe, (listed, largest, automatic, set) => {
        const { window, alternatives } = limits({ facts: listed, largest, automatic, set: { window: set } });
        const all = window === undefined ? alternatives : [window, ...alternatives];
        expect(Math.min(Infinity, ...all)).toBeGreaterThanOrEqual(Math.max(largest, automatic ?? 0));
      }),
    );
  });
});

describe('the size at which an agent compacts automatically', () => {
  it.each<[string, Partial<LimitEvidence>, number | undefined]>([
    ['is unknown without evidence', { facts: short }, undefined],
    ['is the size of an observed compaction', { facts: short, automatic: 167_000 }, 167_000],
    ['is at most the size in the settings', { automatic: 167_000, set: { compactsAt: 120_000 } }, 120_000],
    ['is a share of the window', { stated: 1_000_000, set: { compactsAtShare: 0.7 } }, 700_000],
    [
      'is a share of the size that the settings use as the window',
      { stated: 1_000_000, set: { compactsAt: 400_000, compactsAtShare: 0.5 } },
      200_000,
    ],
    [
      'is undefined if automatic compaction is off',
      { automatic: 167_000, set: { neverCompacts: true } },
      undefined,
    ],
  ])('%s', (_, evidence, expected) => {
    expect(limits(evidence).compactsAt).toBe(expected);
  });
});
