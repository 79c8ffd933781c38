import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDeepEqual } from '../../../src/compaction/records/deep-equal.ts';

const value = fc.jsonValue({ maxDepth: 3 });

describe('values with the same JSON', () => {
  it('are equal, and all other values are different', () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(isDeepEqual(one, structuredClone(one))).toBe(true);
        expect(isDeepEqual(one, other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
  });

  it('are equal even if one has additional undefined fields', () => {
    expect(isDeepEqual({ a: 1, b: undefined }, { a: 1 })).toBe(true);
    expect(isDeepEqual({ a: undefined }, { a: null })).toBe(false);
  });

  it('may differ in the excepted fields at the top level', () => {
    const except = new Set(['text']);
    expect(isDeepEqual({ id: 1, text: 'a' }, { id: 1, text: 'b' }, except)).toBe(true);
    expect(isDeepEqual({ id: 1, text: 'a' }, { id: 1 }, except)).toBe(true);
    expect(isDeepEqual({ id: 1, inner: { text: 'a' } }, { id: 1, inner: { text: 'b' } }, except)).toBe(false);
  });
});
