import { describe, expect, it } from 'vitest';
import { isRecord } from '../../src/language/is-record.ts';

describe('isRecord', () => {
  it('is true for objects, and false for other JSON values such as arrays and null', () => {
    const values = [{}, { a: 1 }, [], null, 'a', 1, true, undefined];
    expect(values.filter(isRecord)).toEqual([{}, { a: 1 }]);
  });
});
