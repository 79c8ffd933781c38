import { describe, expect, it } from 'vitest';
import { memoised, memoisedByList, memoisedByText } from '../../../src/compaction/messages/memoise.ts';

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

describe('memoisedByText', () => {
  const sizesOf = (texts: readonly string[]) => {
    const { seen, read } = counting((text: string) => text.length);
    const sizeOf = memoisedByText(read);
    return { sizes: texts.map(sizeOf), seen };
  };

  it('reads a text once', () => {
    const { sizes, seen } = sizesOf(['ls', 'pwd', 'ls']);
    expect(sizes).toEqual([2, 3, 2]);
    expect(seen).toEqual(['ls', 'pwd']);
  });

  it('forgets texts that were not needed for a long time', () => {
    const long = Array.from({ length: 5 }, (_, index) => String(index).padEnd(400_000, '.'));
    expect(sizesOf(['ls', ...long, 'ls']).seen.filter((text) => text === 'ls')).toHaveLength(2);
  });

  it('remembers a text that is needed again and again', () => {
    const long = Array.from({ length: 5 }, (_, index) => String(index).padEnd(400_000, '.'));
    const { seen } = sizesOf(long.flatMap((text) => ['ls', text]));
    expect(seen.filter((text) => text === 'ls')).toHaveLength(1);
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

  it('remembers a long list while many short lists are read', () => {
    const { seen, read } = counting((values: readonly object[]) => values.length);
    const sizeOf = memoisedByList(read);
    const whole = Array.from({ length: 100 }, () => ({}));
    sizeOf(whole);
    for (const value of whole) sizeOf([value]);
    sizeOf(whole);
    expect(seen.filter(({ length }) => length === whole.length)).toHaveLength(1);
  });

  it('accepts an empty list', () => {
    expect(memoisedByList((values: readonly object[]) => values.length)([])).toBe(0);
  });
});
