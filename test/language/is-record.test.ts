import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/language/is-record.ts';

describe('isRecord', () => {
  it('is true for objects with fields, and for nothing else that JSON can hold', () => {
    const values = [{}, { a: 1 }, [], null, 'a', 1, true, undefined];
    expect(values.filter(isRecord)).toEqual([{}, { a: 1 }]);
  });
});
