import { describe, expect, it } from 'vitest';
import { shortenedLines } from '../../../src/bridge/hooks/shortened-lines.ts';

const shortened = (...values: readonly object[]): readonly unknown[] =>
  shortenedLines(Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join('')))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

const result = (content: string) => ({ type: 'user', tool_use_id: 'c1', content, after: 'kept' });

describe('shortenedLines', () => {
  it('leaves short lines and invalid lines unchanged', () => {
    const lines = `${JSON.stringify(result('short'))}\n\nno JSON\n{"half`;
    expect(shortenedLines(Buffer.from(lines))).toBe(lines);
  });

  it('keeps both ends of a long result, and all other fields', () => {
    const [line] = shortened(result(`first ${'x'.repeat(100_000)} exit 1`)) as [ReturnType<typeof result>];
    expect(line.content).toMatch(/^first x+\n\[\.\.\.\]\nx+ exit 1$/u);
    expect(line.content.length).toBeLessThan(5_000);
    expect(line).toEqual({ ...result(line.content) });
  });

  it('keeps less of older results than of newer ones', () => {
    const long = 'x'.repeat(100_000);
    const contents = shortened(...Array.from({ length: 10 }, () => result(long))).map(
      (line) => (line as ReturnType<typeof result>).content.length,
    );
    expect(contents[0]).toBeLessThan(contents[9]!);
  });

  it('keeps typed text whole and shortens pictures', () => {
    const prompt = { type: 'user', content: `"${'Never touch the parser. '.repeat(1_000)}"` };
    const picture = { type: 'user', content: [{ type: 'image', data: 'QUJD'.repeat(100_000) }] };
    const [kept, cut] = shortened(prompt, picture);
    expect(kept).toEqual(prompt);
    expect(JSON.stringify(cut).length).toBeLessThan(50_000);
  });

  it('removes texts that are too long to have been typed', () => {
    const [line] = shortened({ type: 'user', content: 'x\n'.repeat(600_000) });
    expect(line).toEqual({ type: 'user', content: '\n[...]\n' });
  });

  it.each([
    ['quotes', '"'],
    ['backslashes', '\\'],
    ['control characters', '\u0001'],
    ['letters of two bytes', 'é'],
    ['letters of three bytes', '界'],
    ['letters of four bytes', '😀'],
    ['a mix of all of them', 'a"\\\n\u0001é界😀'],
  ])('cuts neither characters nor escapes: %s', (_what, unit) => {
    for (let offset = 0; offset < 9; offset++) {
      const [line] = shortened(result('y'.repeat(offset) + unit.repeat(30_000))) as [
        ReturnType<typeof result>,
      ];
      expect(line.after).toBe('kept');
      expect(line.content.replaceAll('\n[...]\n', '')).toMatch(
        new RegExp(`^[${unit.replace('\\', '\\\\')}y]*$`, 'u'),
      );
      expect(line.content).not.toMatch(/\p{Cs}|\ufffd/u);
    }
  });

  it('leaves a string without an end unchanged', () => {
    const broken = `{"tool_use_id":"c1","content":"${'x'.repeat(50_000)}`;
    expect(shortenedLines(Buffer.from(broken))).toBe(broken);
  });
});
