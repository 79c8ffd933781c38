import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipArguments, clipText, wrapJson } from '../../../src/compaction/text/clip-json.ts';

describe('clipText', () => {
  it('keeps both ends around a marker that explains recall', () => {
    expect(clipText(`begin ${'x'.repeat(2_000)} end`, 300, 'm3')).toMatch(
      /^begin x+\n\[… \d+ characters left out; recall\("m3"\) returns all of it …\]\nx+ end$/,
    );
  });

  it.each([
    ['one long text', { output: 'x'.repeat(5_000), exit: 0 }],
    ['many rows', Array.from({ length: 2_000 }, (_, index) => ({ id: index, name: `row ${index}` }))],
    ['many keys', Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, index]))],
    ['deep nesting', { a: { b: { c: Array.from({ length: 2_000 }, (_, index) => [index]) } } }],
    ['numbers that would change', `{"ids":[${'12345678901234567890,'.repeat(300)}1]}`],
  ])('returns valid JSON for JSON: %s', (_name, value) => {
    const json = typeof value === 'string' ? value : JSON.stringify(value);
    const clipped = clipText(json, 400, 'm3');
    expect(clipped.length).toBeLessThanOrEqual(400);
    expect(() => void JSON.parse(clipped)).not.toThrow();
    expect(clipped).toContain('recall(\\"m3\\")');
  });

  it('returns valid JSON within the limit for any JSON', () => {
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

describe('wrapJson', () => {
  const marker = (missing: number) => `[${missing} left out]`;

  it('returns valid JSON within the limit for any text', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 400, unit: 'binary' }),
        fc.integer({ min: 100, max: 300 }),
        (text, longest) => {
          const wrapped = wrapJson(text, longest, marker);
          expect(wrapped.length).toBeLessThanOrEqual(longest);
          expect(JSON.parse(wrapped)).toHaveProperty('clipped');
        },
      ),
    );
  });
});

describe('clipArguments', () => {
  it('clips long texts at any depth, and keeps everything else', () => {
    const clipped = clipArguments(
      JSON.stringify({ path: 'a.ts', edits: [{ text: 'x'.repeat(500), line: 3 }] }),
      100,
    );
    expect(JSON.parse(clipped!)).toMatchObject({ path: 'a.ts', edits: [{ line: 3 }] });
    expect(clipped).toMatch(/"x+\\n\[… \d+ characters left out …\]\\nx+"/);
  });

  it('leaves the value of a kept key unchanged', () => {
    const json = JSON.stringify({ command: 'y'.repeat(500), text: 'x'.repeat(500) });
    const clipped = clipArguments(json, 100, (key) => key === 'command');
    expect(JSON.parse(clipped!)).toMatchObject({ command: 'y'.repeat(500) });
  });

  it('returns undefined for arguments that are short or not JSON', () => {
    expect(clipArguments(`{"text":"${'x'.repeat(500)}`, 100)).toBeUndefined();
    expect(clipArguments('{"a":1}', 100)).toBeUndefined();
  });

  it('returns JSON with the same keys that is not clipped again', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.string(),
          fc.oneof(fc.string({ maxLength: 300 }), fc.array(fc.string({ maxLength: 300 }))),
        ),
        (given) => {
          const clipped = clipArguments(JSON.stringify(given), 60);
          if (clipped === undefined) return;
          expect(Object.keys(JSON.parse(clipped) as object)).toEqual(
            Object.keys(JSON.parse(JSON.stringify(given)) as object),
          );
          expect(clipArguments(clipped, 60)).toBeUndefined();
        },
      ),
    );
  });
});
