import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonAt, readJsonHead } from '../../../src/transcripts/reading/json-head.ts';

const values = fc.oneof(
  fc.dictionary(fc.string(), fc.jsonValue()),
  fc.array(fc.jsonValue()),
) as fc.Arbitrary<object>;

describe('an object within a text', () => {
  it('is read from any surrounding text', () => {
    fc.assert(
      fc.property(values, fc.string(), fc.string(), (value, before, after) => {
        const text = JSON.stringify(value);
        const read = readJsonAt(before + text + after, before.length, text.length + 9);
        expect(read).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is read to its end, or up to a limit', () => {
    const text = '{"a":{"b":"c"},"d":[1,2,3]}';
    expect(readJsonAt(text, 5, 99)).toEqual({ b: 'c' });
    expect(readJsonAt(`x${text}`, 1, 22)).toEqual(readJsonHead(text.slice(0, 22)));
    expect(readJsonAt('none', 0, 9)).toBeUndefined();
  });
});
