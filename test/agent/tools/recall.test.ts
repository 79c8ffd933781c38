import { describe, expect, it } from 'vitest';
import { createRecall } from '../../../src/agent/tools/recall.ts';

const signal = new AbortController().signal;
const log = Array.from({ length: 5_000 }, (_, index) =>
  index % 1_000 === 499 ? `Error: no ${index + 1}` : `line ${index + 1}`,
).join('\n');
const originals = new Map([
  ['m12', 'the whole result'],
  ['m13', ''],
  ['m14', log],
  ['m15', 'x'.repeat(100_000)],
]);
const recall = createRecall((id) => originals.get(id));
const run = async (input: Readonly<Record<string, unknown>>) => (await recall.run(input, signal)).content;

describe('recall', () => {
  it('returns the original', async () => {
    expect(await recall.run({ id: 'm12' }, signal)).toEqual({ content: 'the whole result', isError: false });
  });

  it('accepts an id with surrounding spaces', async () => {
    expect(await run({ id: ' m12 ' })).toBe('the whole result');
  });

  it('says that an original has no text', async () => {
    expect(await recall.run({ id: 'm13' }, signal)).toEqual({
      content: 'The original has no text.',
      isError: false,
    });
  });

  it('explains the form of ids if the id is unknown', async () => {
    const result = await recall.run({ id: 'x' }, signal);
    expect(result.isError).toBe(true);
    expect(result.content).toContain('nothing under the id "x"');
    expect(result.content).toContain('m12');
  });

  it('answers a missing id with an explanation', async () => {
    expect(await recall.run({}, signal)).toEqual({
      content: 'The argument "id" is missing.',
      isError: true,
    });
  });

  it('is described by the requested range or search', () => {
    expect(recall.describe({ id: 'm14', start_line: 3, end_line: 9 })).toBe('m14 3–9');
    expect(recall.describe({ id: 'm14', search: 'Error' })).toBe('m14 "Error"');
  });
});

describe('recall of a long original', () => {
  it('returns a part of the text', async () => {
    expect(await run({ id: 'm14', start_line: 2, end_line: 3 })).toBe(
      'line 2\nline 3\n\n[Lines 2–3 of 5000 of m14.]',
    );
  });

  it('returns the whole original in parts, each with the position of the next part', async () => {
    let text = '';
    for (let start: number | undefined = 1; start !== undefined;) {
      const part = await run({ id: 'm14', start_line: start });
      text += `${part.slice(0, part.lastIndexOf('\n\n[Lines '))}\n`;
      const next = /Read on with start_line (\d+)\.\]$/.exec(part)?.[1];
      start = next === undefined ? undefined : Number(next);
    }
    expect(text).toBe(`${log}\n`);
  });

  it('reads a very long line in parts', async () => {
    const part = await run({ id: 'm15' });
    expect(part).toContain('[Lines 1–12 of 100 of m15. Read on with start_line 13.]');
  });

  it('respects the limit for results', async () => {
    const small = createRecall(
      (id) => originals.get(id),
      () => 100,
    );
    expect((await small.run({ id: 'm14' }, signal)).content.length).toBeLessThan(300);
  });

  it('finds lines, with their neighbours', async () => {
    expect(await run({ id: 'm14', search: 'error: NO 25' })).toBe(
      [
        '2498: line 2498',
        '2499: line 2499',
        '2500: Error: no 2500',
        '2501: line 2501',
        '2502: line 2502',
        '',
        '[Lines that hold "error: NO 25" in lines 1–5000 of 5000 of m14: 1.]',
      ].join('\n'),
    );
  });

  it('states the start of the next part if the lines do not fit', async () => {
    const first = await run({ id: 'm14', search: 'line' });
    const next = Number(/\]?: 4995\. Go on with start_line (\d+)\.\]$/.exec(first)?.[1]);
    expect(await run({ id: 'm14', search: 'line', start_line: next })).toMatch(new RegExp(`^${next}: line`));
  });

  it('reports that nothing contains the text', async () => {
    expect(await run({ id: 'm14', search: 'nowhere' })).toBe(
      'Nothing in lines 1–5000 of 5000 of m14 holds "nowhere".',
    );
  });

  it.each([
    [{ id: 'm14', start_line: 9, end_line: 3 }, 'start_line (9) is after end_line (3).'],
    [{ id: 'm14', start_line: 9_000 }, 'm14 has 5000 lines; there is no line 9000.'],
  ])('answers an invalid range with an explanation', async (input, sentence) => {
    expect(await recall.run(input, signal)).toEqual({ content: sentence, isError: true });
  });
});
