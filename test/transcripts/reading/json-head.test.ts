import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonAt, readJsonHead } from '../../../src/transcripts/reading/json-head.ts';

const values = fc.oneof(
  fc.dictionary(fc.string(), fc.jsonValue()),
  fc.array(fc.jsonValue()),
) as fc.Arbitrary<object>;

describe('an object within a text', () => {
  it('is read correctly in any surrounding text', () => {
    fc.assert(
      fc.property(values, fc.string(), fc.string(), (value, before, after) => {
        const text = JSON.stringify(value);
        const read = readJsonAt(before + text + after, before.length, text.length + 9);
        expect(read).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is read to its end or to a limit', () => {
    const text = '{"a":{"b":"c"},"d":[1,2,3]}';
    expect(readJsonAt(text, 5, 99)).toEqual({ b: 'c' });
    expect(readJsonAt(`x${text}`, 1, 22)).toEqual(readJsonHead(text.slice(0, 22)));
    expect(readJsonAt('none', 0, 9)).toBeUndefined();
  });
});

describe('readJsonHead', () => {
  it.each([
    ['{"a":1,"b":[1,2', { a: 1, b: [1, 2] }],
    ['{"a":{"b":"lon', { a: { b: 'lon' } }],
    ['{"a":1,"lon', { a: 1 }],
    ['{"a":1,"b":', { a: 1 }],
    ['{"a":1,"b":tr', { a: 1 }],
    ['["a\\', ['a']],
    ['["a\\u00', ['a']],
    ['["\\"]', ['"]']],
    ['[[1],', [[1]]],
    ['# notes', undefined],
    ['', undefined],
  ])('reads %s as %j', (text, value) => {
    expect(readJsonHead(text)).toEqual(value);
  });

  it('returns the whole value if nothing is missing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        if (text !== 'null') expect(readJsonHead(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('reads an object or an array wherever it is cut off', () => {
    const container = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(container, fc.nat(), (value, cut) => {
        const text = JSON.stringify(value);
        expect(readJsonHead(text.slice(0, 1 + (cut % text.length)))).toBeTypeOf('object');
      }),
    );
  });
});
