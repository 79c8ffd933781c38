import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { clipArguments, clipText, fitJson, wrapJson } from '../../../src/compaction/text/clip-json.ts';

describe('clip text', () => {
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
});

describe('fit json', () => {
  const marker = (missing: number) => `[${missing} left out]`;

  describe('JSON that has to fit', () => {
    it('keeps its keys and its short texts, and head and tail of the long ones', () => {
      const fitted = fitJson(JSON.stringify({ path: 'a.ts', content: 'x'.repeat(5_000) }), 600, marker);
      const value = JSON.parse(fitted!) as { path: string; content: string };
      expect(value.path).toBe('a.ts');
      expect(value.content).toMatch(/^x+\[\d+ left out\]x+$/);
      expect(fitted!.length).toBeLessThanOrEqual(600);
    });

    it('cuts several long texts further, until all of them fit', () => {
      const texts = Array.from({ length: 4 }, (_, index) => `${index}`.repeat(1_000));
      const fitted = fitJson(JSON.stringify(texts), 1_000, marker);
      expect(fitted!.length).toBeLessThanOrEqual(1_000);
      expect(JSON.parse(fitted!)).toHaveLength(4);
    });

    it.each([
      ['no JSON', 'x'.repeat(500)],
      ['broken JSON', `{"a": "${'x'.repeat(500)}`],
      ['a text of its own', JSON.stringify('x'.repeat(500))],
      ['long for another reason', JSON.stringify(Array.from({ length: 300 }, (_, index) => index))],
    ])('is not made of what is %s', (_name, text) => {
      expect(fitJson(text, 300, marker)).toBeUndefined();
    });

    it('is JSON, never longer than asked for, and halves no character', () => {
      fc.assert(
        fc.property(
          fc.jsonValue({ maxDepth: 4 }),
          fc.constantFrom('😀', '"', '\\', '仓'),
          fc.integer({ min: 200, max: 2_000 }),
          (value, text, longest) => {
            const fitted = fitJson(JSON.stringify({ value, text: text.repeat(3_000) }), longest, marker);
            if (fitted === undefined) return;
            expect(fitted.length).toBeLessThanOrEqual(longest);
            const clipped = JSON.parse(fitted) as { text: string };
            expect(clipped.text.replaceAll(text, '')).toMatch(/^\[\d+ left out\]$/);
          },
        ),
      );
    });
  });

  describe('JSON whose lists may be shortened', () => {
    const entries = (missing: number) => `[${missing} entries left out]`;

    it('keeps first and last entries around a note of how many are missing', () => {
      const rows = Array.from({ length: 3_000 }, (_, index) => ({ row: index }));
      const fitted = fitJson(JSON.stringify({ rows, status: 'done' }), 600, marker, entries);
      const value = JSON.parse(fitted!) as { rows: unknown[]; status: string };
      expect(value.status).toBe('done');
      expect(value.rows[0]).toEqual({ row: 0 });
      expect(value.rows.at(-1)).toEqual({ row: 2_999 });
      const [note] = value.rows.filter((entry) => typeof entry === 'string');
      expect(note).toBe(`[${3_001 - value.rows.length} entries left out]`);
    });

    it('keeps first and last keys of an object', () => {
      const files = Object.fromEntries(
        Array.from({ length: 2_000 }, (_, index) => [`src/${index}.ts`, index]),
      );
      const value = JSON.parse(fitJson(JSON.stringify(files), 500, marker, entries)!) as object;
      expect(value).toMatchObject({ 'src/0.ts': 0, 'src/1999.ts': 1_999 });
      expect(value).toHaveProperty('…', expect.stringMatching(/entries left out/));
    });

    it('loses no entry where clipping texts is enough', () => {
      const texts = Array.from({ length: 4 }, () => 'x'.repeat(1_000));
      expect(JSON.parse(fitJson(JSON.stringify(texts), 1_000, marker, entries)!)).toHaveLength(4);
    });
  });

  it('JSON wrapped as a string is JSON within the limit, whatever it held', () => {
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

describe('clip arguments', () => {
  describe('clipArguments', () => {
    it('clips the long texts, wherever they are, and keeps the rest', () => {
      const clipped = clipArguments(
        JSON.stringify({ path: 'a.ts', edits: [{ text: 'x'.repeat(500), line: 3 }] }),
        100,
      );
      expect(JSON.parse(clipped!)).toMatchObject({ path: 'a.ts', edits: [{ line: 3 }] });
      expect(clipped).toMatch(/"x+\\n\[… \d+ characters left out …\]\\nx+"/);
    });

    it('leaves a key whole that is to be kept', () => {
      const json = JSON.stringify({ command: 'y'.repeat(500), text: 'x'.repeat(500) });
      const clipped = clipArguments(json, 100, (key) => key === 'command');
      expect(JSON.parse(clipped!)).toMatchObject({ command: 'y'.repeat(500) });
    });

    it('has nothing to say of arguments that are no JSON, or short', () => {
      expect(clipArguments(`{"text":"${'x'.repeat(500)}`, 100)).toBeUndefined();
      expect(clipArguments('{"a":1}', 100)).toBeUndefined();
    });

    it('always gives JSON back, with the same keys, and nothing left to clip', () => {
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
});
