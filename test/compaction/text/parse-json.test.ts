import { describe, expect, it } from 'vitest';
import { parseRewritable } from '../../../src/compaction/text/parse-json.ts';

describe('parseRewritable', () => {
  it('reads JSON that can be written back unchanged', () => {
    expect(parseRewritable('{"a":1,"b":"12345678901234567890"}')).toEqual({
      value: { a: 1, b: '12345678901234567890' },
    });
  });

  it.each([
    ['a number that would change', '{"id":12345678901234567890}'],
    ['such a number after a text with quotation marks', '{"a":"say \\"1\\"","id":98765432109876543210}'],
    ['invalid JSON', '{"a":'],
  ])('refuses %s', (_name, json) => {
    expect(parseRewritable(json)).toBeUndefined();
  });
});
