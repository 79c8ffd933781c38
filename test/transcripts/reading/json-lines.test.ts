import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonLines } from '../../../src/transcripts/reading/json-lines.ts';

const parses = (text: string) => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

describe('jsonLines', () => {
  it('finds the line of every value', () => {
    const text = '\n{\n  "a": [1,\n    {"b": "x"}\n  ],\n  "c":\n    null\n}\n';
    expect(Object.fromEntries(jsonLines(text).starts)).toEqual({
      '': 2,
      '/a': 3,
      '/a/0': 3,
      '/a/1': 4,
      '/a/1/b': 4,
      '/c': 7,
    });
  });

  it.each([
    ['', 1],
    ['{"a": 1}\n\n{"a": 2}', 3],
    ['[1,\n2,\n]', 3],
    ['{"a":\n"never ends\n}', 2],
    ['{\n"a" 1}', 2],
    ['[\n01]', 2],
    ['[\n"\\x"]', 2],
    ['{"a": [1,\n2', 2],
  ])('finds the line on which %j stops being valid JSON', (text, line) => {
    expect(jsonLines(text).brokenAt).toBe(line);
  });

  it('agrees with JSON.parse on whether a text is valid', () => {
    const spoilt = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '\\', ']', '}', '0', 'e', '\n'))
      .map(
        ([text, at, instead]) =>
          text.slice(0, at % text.length) + instead + text.slice((at % text.length) + 1),
      );
    fc.assert(
      fc.property(fc.oneof(fc.json(), spoilt), (text) => {
        expect(jsonLines(text).brokenAt === undefined).toBe(parses(text));
      }),
    );
  });

  it('reads deep nesting and long strings', () => {
    const depth = 500_000;
    const text = `${'['.repeat(depth)}"${'x\\n'.repeat(200_000)}"${']'.repeat(depth - 1)}\n`;
    expect(jsonLines(text).brokenAt).toBe(2);
  });
});
