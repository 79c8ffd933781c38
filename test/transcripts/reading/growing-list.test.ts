import { describe, expect, it } from 'vitest';
import { readGrowing } from '../../../src/transcripts/reading/growing-list.ts';

const [a, b, c, d] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }];

/** Joins the names of a list; `added` counts the values that were read. */
function joiner() {
  let added = 0;
  const read = readGrowing(() => {
    const names: string[] = [];
    const add = ({ name }: { readonly name: string }) => {
      added++;
      if (name === 'd' && names.includes('c')) return false;
      names.push(name);
      return true;
    };
    return { names, add };
  });
  return {
    read: (values: readonly { readonly name: string }[]) => read(values).names.join(''),
    added: () => added,
  };
}

describe('a list that grows', () => {
  it('is read once', () => {
    const { read, added } = joiner();
    expect([read([a]), read([a, b]), read([a, b]), read([a, b, c])]).toEqual(['a', 'ab', 'ab', 'abc']);
    expect(added()).toBe(3);
  });

  it.each([
    ['becomes shorter', [a]],
    ['has another value in the middle', [a, c, b]],
    ['is another list', [c, b]],
  ])('is read again if it %s', (_change, values) => {
    const { read } = joiner();
    read([a, b, c]);
    expect(read(values)).toBe(values.map(({ name }) => name).join(''));
  });

  it('is read again from its beginning if a value changes what was read before', () => {
    const { read, added } = joiner();
    read([a, c]);
    read([a, c, d]);
    expect(added()).toBe(6);
  });

  it('may be empty', () => {
    expect(joiner().read([])).toBe('');
  });
});
