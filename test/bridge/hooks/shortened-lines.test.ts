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

  it('keeps 2,000 bytes at each end of a new result, and 150 of an old one', () => {
    const [old, , fresh] = shortened(
      result('x'.repeat(100_000)),
      { type: 'user', content: 'a\nb'.repeat(130_000) },
      result('x'.repeat(100_000)),
    ) as readonly ReturnType<typeof result>[];
    expect(old!.content).toBe(`${'x'.repeat(150)}\n[...]\n${'x'.repeat(150)}`);
    expect(fresh!.content).toBe(`${'x'.repeat(2_000)}\n[...]\n${'x'.repeat(2_000)}`);
  });

  it('keeps a string in a result whole if a cut would not shorten it', () => {
    const longest = { tool_use_id: 'c1', output: 'x'.repeat(4_008), error: 'y'.repeat(4_009) };
    const [line] = shortened(longest) as [typeof longest];
    expect(line.output).toBe(longest.output);
    expect(line.error).toBe(`${'y'.repeat(2_000)}\n[...]\n${'y'.repeat(2_000)}`);
  });

  it('leaves a result of a few thousand bytes unchanged', () => {
    const short = { tool_use_id: 'c1', output: 'x'.repeat(7_000) };
    expect(shortened(short)).toEqual([short]);
  });

  it('shortens every long string of a line', () => {
    const many = { tool_use_id: 'c1', a: 'a'.repeat(9_000), b: 'b'.repeat(9_000), c: 'c'.repeat(9_000) };
    for (const [name, text] of Object.entries(shortened(many)[0] as object)) {
      if (name !== 'tool_use_id') expect((text as string).length).toBe(4_007);
    }
  });

  it.each([
    ['Claude Code, before the output', { tool_use_id: 'c1', content: 'x'.repeat(50_000) }],
    ['Claude Code, after the output', { content: 'x'.repeat(50_000), tool_use_id: 'c1' }],
    ['Codex', { type: 'function_call_output', content: 'x'.repeat(50_000) }],
    ['Codex, for its own tools', { type: 'custom_tool_call_output', content: 'x'.repeat(50_000) }],
    ['Copilot', { type: 'tool.execution_complete', content: 'x'.repeat(50_000) }],
  ])('recognises a result of %s', (_agent, line) => {
    expect((shortened(line)[0] as typeof line).content.length).toBe(4_007);
  });

  it.each([
    ['quotes the sign of one', { type: 'user', content: `"tool_use_id": ${'x'.repeat(30_000)}` }],
    ['has the sign deep inside', { a: 'x'.repeat(30_000), tool_use_id: 'c1', b: 'x'.repeat(30_000) }],
  ])('does not mistake a line for a result that only %s', (_what, line) => {
    expect(shortened(line)).toEqual([line]);
  });

  it('keeps typed text in a line with a result', () => {
    const typed = { tool_use_id: 'c1', content: [{ type: 'text', text: 'Never push.\n'.repeat(2_000) }] };
    expect(shortened(typed)).toEqual([typed]);
    const spaced = JSON.stringify(typed).replace('"text":"N', '"text": "N');
    expect(shortenedLines(Buffer.from(spaced))).toBe(spaced);
  });

  it('cuts a picture to 20,000 bytes at each end', () => {
    const [line] = shortened({ type: 'image', data: 'A'.repeat(100_000) }) as [{ data: string }];
    expect(line.data).toBe(`${'A'.repeat(20_000)}\n[...]\n${'A'.repeat(20_000)}`);
  });

  it.each([
    ['a line break', 'x\n'],
    ['a tag', 'x<a>'],
    ['a quote', 'x"'],
  ])('keeps a long text with %s, as an agent may have added to typed text', (_what, unit) => {
    const said = { type: 'user', content: unit.repeat(20_000) };
    expect(shortened(said)).toEqual([said]);
  });

  it('drops a byte order mark at the beginning only', () => {
    expect(shortenedLines(Buffer.from('\uFEFF{"a":"\uFEFF"}\n'))).toBe('{"a":"\uFEFF"}\n');
  });

  it('accepts a last line without a line break, and empty input', () => {
    const line = JSON.stringify(result('x'.repeat(100_000)));
    expect(JSON.parse(shortenedLines(Buffer.from(line)))).toMatchObject({ after: 'kept' });
    expect(shortenedLines(Buffer.from(''))).toBe('');
  });
});
