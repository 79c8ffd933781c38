import { describe, expect, it } from 'vitest';
import { createMeter } from '../support/engine.ts';
import { differenceOf, knownDifferences } from './originals/differences.ts';
import { readOriginalCases, skipReason } from './originals/original-case.ts';
import { rules } from './originals/rules.ts';

const meter = await createMeter();

const cases = readOriginalCases();

describe('the recorded cases of the original implementations', () => {
  it('are complete', (ctx) => {
    if (cases.length === 0) ctx.skip(skipReason);
    expect(cases.length).toBeGreaterThan(150);
    expect(new Set(cases.map(({ id }) => id)).size).toBe(cases.length);
  });

  it.each(cases)('have the listed difference or none: $id', async (original) => {
    const rule = rules[original.strategy];
    expect(rule, original.strategy).toBeDefined();
    const found = differenceOf(await rule!(original, meter));
    expect(found).toBe(knownDifferences.get(original.id)?.difference ?? 'none');
  });

  it('include every case with a listed difference', (ctx) => {
    if (cases.length === 0) ctx.skip(skipReason);
    const known = new Set(cases.map(({ id }) => id));
    expect([...knownDifferences.keys()].filter((id) => !known.has(id))).toEqual([]);
  });
});

it('every listed difference has a reason', () => {
  for (const { difference, reason } of knownDifferences.values()) {
    expect(difference).toMatch(/ → /);
    expect(reason).toMatch(/^[A-Z].{20,}\.$/);
  }
});
