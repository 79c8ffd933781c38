import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ShorterJson } from '../../../src/compaction/text/shorter-json.ts';

describe('shortened JSON', () => {
  const marker = (missing: number) => `[${missing} left out]`;
  const fit = (json: string, longest: number, entries?: (missing: number) => string) =>
    ShorterJson.of(json)?.fit(longest, { text: marker, entries });

  describe('if lists keep their length', () => {
    it('keeps keys, short strings and both ends of long strings', () => {
      const fitted = fit(JSON.stringify({ path: 'a.ts', content: 'x'.repeat(5_000) }), 600);
      const value = JSON.parse(fitted!) as { path: string; content: string };
      expect(value.path).toBe('a.ts');
      expect(value.content).toMatch(/^x+\[\d+ left out\]x+$/);
      expect(fitted!.length).toBeLessThanOrEqual(600);
    });

    it('has several long texts cut until all of them fit', () => {
      const texts = Array.from({ length: 4 }, (_, index) => `${index}`.repeat(1_000));
      const fitted = fit(JSON.stringify(texts), 1_000);
      expect(fitted!.length).toBeLessThanOrEqual(1_000);
      expect(JSON.parse(fitted!)).toHaveLength(4);
    });

    it.each([
      ['text that is not JSON', 'x'.repeat(500)],
      ['broken JSON', `{"a": "${'x'.repeat(500)}`],
      ['a single string', JSON.stringify('x'.repeat(500))],
      [
        'JSON that is long for another reason',
        JSON.stringify(Array.from({ length: 300 }, (_, index) => index)),
      ],
    ])('is undefined for %s', (_name, text) => {
      expect(fit(text, 300)).toBeUndefined();
    });

    it('is valid JSON within the limit, and splits no character', () => {
      fc.assert(
        fc.property(
          fc.jsonValue({ maxDepth: 4 }),
          fc.constantFrom('😀', '"', '\\', '仓'),
          fc.integer({ min: 200, max: 2_000 }),
          (value, text, longest) => {
            const fitted = fit(JSON.stringify({ value, text: text.repeat(3_000) }), longest);
            if (fitted === undefined) return;
            expect(fitted.length).toBeLessThanOrEqual(longest);
            const clipped = JSON.parse(fitted) as { text: string };
            expect(clipped.text.replaceAll(text, '')).toMatch(/^\[\d+ left out\]$/);
          },
        ),
      );
    });
  });

  describe('if lists are shortened', () => {
    const entries = (missing: number) => `[${missing} entries left out]`;

    it('keeps the first and last entries around a note that counts the missing entries', () => {
      const rows = Array.from({ length: 3_000 }, (_, index) => ({ row: index }));
      const fitted = fit(JSON.stringify({ rows, status: 'done' }), 600, entries);
      const value = JSON.parse(fitted!) as { rows: unknown[]; status: string };
      expect(value.status).toBe('done');
      expect(value.rows[0]).toEqual({ row: 0 });
      expect(value.rows.at(-1)).toEqual({ row: 2_999 });
      const [note] = value.rows.filter((entry) => typeof entry === 'string');
      expect(note).toBe(`[${3_001 - value.rows.length} entries left out]`);
    });

    it('keeps the first and last keys of an object', () => {
      const files = Object.fromEntries(
        Array.from({ length: 2_000 }, (_, index) => [`src/${index}.ts`, index]),
      );
      const value = JSON.parse(fit(JSON.stringify(files), 500, entries)!) as object;
      expect(value).toMatchObject({ 'src/0.ts': 0, 'src/1999.ts': 1_999 });
      expect(value).toHaveProperty('…', expect.stringMatching(/entries left out/));
    });

    it('keeps all entries if clipping strings is enough', () => {
      const texts = Array.from({ length: 4 }, () => 'x'.repeat(1_000));
      expect(JSON.parse(fit(JSON.stringify(texts), 1_000, entries)!)).toHaveLength(4);
    });

    it('never exceeds the limit, even if an object already has the key of the note', () => {
      const key = fc.constantFrom('…', 'a', 'b', '"', '😀');
      const { value } = fc.letrec((tie) => ({
        value: fc.oneof(
          { maxDepth: 3 },
          fc.constantFrom('x'.repeat(300), '"'.repeat(200), '😀'.repeat(150), 'short'),
          fc.integer(),
          fc.array(tie('value'), { maxLength: 6 }),
          fc.dictionary(key, tie('value')),
        ),
      }));
      fc.assert(
        fc.property(
          fc.array(value, { minLength: 1 }),
          fc.integer({ min: 60, max: 1_000 }),
          (all, longest) => {
            const fitted = fit(JSON.stringify(all), longest, entries);
            if (fitted === undefined) return;
            expect(fitted.length).toBeLessThanOrEqual(longest);
            expect(Array.isArray(JSON.parse(fitted))).toBe(true);
          },
        ),
      );
    });
  });
});
