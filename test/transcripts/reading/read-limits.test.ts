import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkValues,
  openedLimits,
  unaskedLimits,
  ValueLimit,
} from '../../../src/transcripts/reading/read-limits.ts';

const tooMany = 'values, which is too much';

describe('a text of JSON', () => {
  it('is refused before parsing if it contains too many values', () => {
    expect(() => checkValues(`[${'[],'.repeat(2_000_000)}0]`, unaskedLimits)).toThrow(tooMany);
    expect(() => checkValues(`[${'0,'.repeat(2_000_000)}0]`, unaskedLimits)).toThrow(tooMany);
    expect(() => checkValues(`[${'{"a":0},'.repeat(1_000_001)}0]`, unaskedLimits)).toThrow(tooMany);
  });

  it('may contain more values if the user opens it', () => {
    const [list, most] = [`[${'0,'.repeat(6_249_998)}0]`, `[${'0,'.repeat(6_250_000)}0]`];
    expect(() => checkValues(list, openedLimits)).not.toThrow();
    expect(() => checkValues(most, openedLimits)).toThrow('more than 6,250,000 values');
  });

  it('is not refused because of brackets and commas in its strings', () => {
    const text = ['[,{'.repeat(1_000_000), '\\"[,{'.repeat(1_000_000), '\\\\'.repeat(3_000_000)];
    expect(() => checkValues(JSON.stringify(text), unaskedLimits)).not.toThrow();
  });

  it('is never counted with fewer values than it contains', () => {
    const weigh = (json: string) => {
      const limit = new ValueLimit(unaskedLimits);
      let lines = 0;
      try {
        for (; ; lines++) limit.add(json);
      } catch {
        return lines;
      }
    };
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        expect(weigh(JSON.stringify(value))).toBeLessThanOrEqual(2_000_000 / valuesIn(value));
      }),
      { numRuns: 20 },
    );
  });
});

describe('lines', () => {
  it.each<readonly [string, string]>([
    ['empty objects', '{}'],
    ['small lists', `[${'[],'.repeat(1_000)}0]`],
    ['blank lines', ''],
  ])('are refused once there are too many: %s', (_what, line) => {
    const limit = new ValueLimit(unaskedLimits);
    expect(() => {
      for (let lines = 0; lines < 5_000_000; lines++) limit.add(line);
    }).toThrow(tooMany);
  });

  it('are refused sooner if they are not JSON, because parsing them takes longer', () => {
    const limit = new ValueLimit(unaskedLimits);
    expect(() => {
      for (let lines = 0; lines < 100_000; lines++) limit.addSlow();
    }).toThrow(tooMany);
  });
});

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, one) => sum + valuesIn(one), 1);
}
