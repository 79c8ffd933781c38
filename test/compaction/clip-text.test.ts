import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipText } from '../../src/compaction/clip-text.ts';

describe('a clipped text', () => {
  it('keeps head and tail around a marker with the way back', () => {
    expect(clipText(`begin ${'x'.repeat(2_000)} end`, 300, 'm3')).toMatch(
      /^begin x+\n\[… \d+ characters left out; recall\("m3"\) returns all of it …\]\nx+ end$/,
    );
  });

  it.each([
    ['one long text', { output: 'x'.repeat(5_000), exit: 0 }],
    ['many rows', Array.from({ length: 2_000 }, (_, index) => ({ id: index, name: `row ${index}` }))],
    ['many keys', Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, index]))],
    ['deep nesting', { a: { b: { c: Array.from({ length: 2_000 }, (_, index) => [index]) } } }],
    ['numbers that cannot be written back', `{"ids":[${'12345678901234567890,'.repeat(300)}1]}`],
  ])('of JSON is JSON: %s', (_name, value) => {
    const json = typeof value === 'string' ? value : JSON.stringify(value);
    const clipped = clipText(json, 400, 'm3');
    expect(clipped.length).toBeLessThanOrEqual(400);
    expect(() => void JSON.parse(clipped)).not.toThrow();
    expect(clipped).toContain('recall(\\"m3\\")');
  });

  it('of any JSON is JSON within the limit', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { minLength: 1 }),
        fc.integer({ min: 300, max: 900 }),
        (value, longest) => {
          const json = JSON.stringify([value, value, value, value]);
          const clipped = clipText(json, longest, 'm3');
          expect(clipped.length).toBeLessThanOrEqual(longest);
          expect(() => void JSON.parse(clipped)).not.toThrow();
        },
      ),
    );
  });
});
