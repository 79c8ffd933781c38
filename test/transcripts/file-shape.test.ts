import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fileShape } from '../../src/transcripts/file-shape.ts';

describe('what a file looks like', () => {
  it.each([
    [{ id: 'x', n: 1, done: true, none: null }, '{"id": "…", "n": 1, "done": true, "none": null}'],
    [{ turns: [{ by: 'a', says: { text: 'b' } }, {}] }, '{"turns": [2 × {"by": "…", "says": {…}}]}'],
    [[], '[]'],
    [[[[[1]]]], '[1 × [1 × [1 × […]]]]'],
    [
      Object.fromEntries('abcdefghij'.split('').map((name) => [name, 1])),
      '{"a": 1, "b": 1, "c": 1, "d": 1, "e": 1, "f": 1, "g": 1, "h": 1, …}',
    ],
  ])('is told of %j', (value, shape) => {
    expect(fileShape(JSON.stringify(value))).toBe(`JSON like ${shape}`);
  });

  it.each([
    [`{"messages":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, 'JSON that is nested too deep to be read'],
    ['{"a":1}\nnot JSON\n{"a":2}', 'lines of JSON like {"a": 1}'],
    ['{"a":1}\n{"a":', 'lines of JSON like {"a": 1}'],
    ['[1,\n2', 'JSON that is broken on line 2'],
    ['PK\u0003\u0000', 'a file that is no text'],
    [' \n', 'an empty file'],
    ['# Notes', 'plain text'],
  ])('is told of %.60j', (text, shape) => {
    expect(fileShape(text)).toBe(shape);
  });

  it('is one short line without control characters and without a value that the file has', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.constant('secret')), (fields) => {
        const shape = fileShape(JSON.stringify(fields));
        expect(shape).not.toMatch(/[\p{Cc}\p{Cf}]/u);
        expect(shape.length).toBeLessThan(600);
        if (!Object.keys(fields).some((name) => name.includes('secret')))
          expect(shape).not.toContain('secret');
      }),
    );
  });
});
