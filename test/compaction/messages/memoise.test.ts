import { describe, expect, it } from 'vitest';
import { memoised, memoisedByList } from '../../../src/compaction/messages/memoise.ts';

const counting = <Value, Result>(read: (value: Value) => Result) => {
  const seen: Value[] = [];
  return { seen, read: (value: Value) => (seen.push(value), read(value)) };
};

describe('memoised', () => {
  it('reads a value once', () => {
    const { seen, read } = counting(({ text }: { readonly text: string }) => text.length);
    const lengthOf = memoised(read);
    const value = { text: 'store' };
    expect([lengthOf(value), lengthOf(value), lengthOf({ text: '' })]).toEqual([5, 5, 0]);
    expect(seen).toHaveLength(2);
  });

  it('remembers undefined as a result', () => {
    const { seen, read } = counting((_value: object) => undefined);
    const nothing = memoised(read);
    const value = {};
    nothing(value);
    nothing(value);
    expect(seen).toHaveLength(1);
  });
});

describe('memoisedByList', () => {
  const [first, second, last] = [{ id: 1 }, { id: 2 }, { id: 3 }];

  it('reads the same values only once, even in different arrays', () => {
    const { seen, read } = counting((values: readonly object[]) => values.length);
    const sizeOf = memoisedByList(read);
    expect([sizeOf([first, last]), sizeOf([first, last])]).toEqual([2, 2]);
    expect(seen).toHaveLength(1);
  });

  it('distinguishes lists that end alike', () => {
    const sizeOf = memoisedByList((values: readonly object[]) => values.length);
    expect([sizeOf([first, last]), sizeOf([first, second, last]), sizeOf([last])]).toEqual([2, 3, 1]);
  });

  it('reads an array again after it has changed', () => {
    const idsOf = memoisedByList((values: readonly { readonly id: number }[]) => values.map(({ id }) => id));
    const values = [first, second, last];
    idsOf(values);
    values.splice(0, 1);
    expect(idsOf(values)).toEqual([2, 3]);
  });

  it('accepts an empty list', () => {
    expect(memoisedByList((values: readonly object[]) => values.length)([])).toBe(0);
  });
});
