import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/language/is-record.ts';

describe('isRecord', () => {
  it('is true for objects with fields, and for nothing else that JSON can hold', () => {
    expect([{}, { a: 1 }, [], null, 'a', 1, true, undefined].map(isRecord)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
  });
});
