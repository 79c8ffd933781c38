import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readJsonHead } from '../../src/transcripts/json-head.ts';

describe('the beginning of a JSON text', () => {
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
  ])('%s is %j', (text, value) => {
    expect(readJsonHead(text)).toEqual(value);
  });

  it('is the value where nothing is missing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        if (text !== 'null') expect(readJsonHead(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it('can be read wherever an object or an array breaks off', () => {
    const container = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()));
    fc.assert(
      fc.property(container, fc.nat(), (value, cut) => {
        const text = JSON.stringify(value);
        expect(readJsonHead(text.slice(0, 1 + (cut % text.length)))).toBeTypeOf('object');
      }),
    );
  });
});
