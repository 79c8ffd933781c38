import { describe, expect, it } from 'vitest';
import { parseRewritable } from '../../../src/compaction/text/parse-json.ts';

describe('parseRewritable', () => {
  it('reads JSON that is written back unchanged', () => {
    expect(parseRewritable('{"a":1,"b":"12345678901234567890"}')).toEqual({
      value: { a: 1, b: '12345678901234567890' },
    });
  });

  it.each([
    ['a number that would become another one', '{"id":12345678901234567890}'],
    ['one behind a text with quotes in it', '{"a":"say \\"1\\"","id":98765432109876543210}'],
    ['no JSON', '{"a":'],
  ])('refuses %s', (_name, json) => {
    expect(parseRewritable(json)).toBeUndefined();
  });
});
