import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { createIngest, resultLimit } from '../../../src/agent/ingest/ingest.ts';
import type { ToolResult } from '../../../src/agent/tools/support/tool.ts';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { isCut, isShortened } from '../../../src/compaction/text/placeholder.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { createMeter } from '../../support/engine.ts';
import { result as message, textOfTokens } from '../../support/messages.ts';
import { soak } from '../../support/soak.ts';
import { said } from '../../support/sentences.ts';

const budgetOf = (window: number | undefined) =>
  createBudget({ window, triggerRatio: 0.85, targetRatio: 0.5 });

let meter: UsageMeter;
beforeAll(async () => {
  meter = await createMeter();
});

const ingest = (
  content: string,
  more: Partial<ToolResult> & { readonly tool?: string; readonly window?: number } = {},
) => {
  const { tool = 'run_command', window, ...rest } = more;
  return createIngest(meter, () => budgetOf(window))({ content, isError: false, ...rest }, tool, 'm12');
};

/** Build output with a number of lines, some of them as given. */
const output = (lines: number, given: Readonly<Record<number, string>> = {}) =>
  Array.from({ length: lines }, (_, index) => given[index + 1] ?? `compiled module ${index + 1}`).join('\n');

describe('a result of ordinary size', () => {
  it('is added unchanged', async () => {
    const content = textOfTokens(5_990);
    expect(await ingest(content, { summary: said('exit code 0') })).toEqual({ content });
  });

  it('is marked as shortened if the tool itself omitted something', async () => {
    expect(await ingest('the first 200 lines', { isTruncated: true })).toEqual({
      content: 'the first 200 lines',
      truncation: { fate: 'tool' },
    });
  });
});

describe('a long result', () => {
  it('is stored in full outside the view, with its size', async () => {
    const content = textOfTokens(7_000);
    const { original, truncation } = await ingest(content);
    expect(original).toBe(content);
    expect(truncation).toEqual({ fate: 'tool', originalTokens: 7_000 });
  });

  it("shows the tool's summary, both ends, and the numbers of the omitted lines", async () => {
    const { content } = await ingest(output(9_000), { summary: said('exit code 1 after 12 s') });
    expect(content).toMatch(/^\[exit code 1 after 12 s; 9000 lines, \d+ tokens\]\ncompiled module 1\n/);
    expect(content).toMatch(/\ncompiled module 9000$/);
    const [, first, last] = /\[… lines (\d+)–(\d+) of 9000 left out: recall\("m12"\)/.exec(content) ?? [];
    expect(content).toContain(`compiled module ${Number(first) - 1}\n[…`);
    expect(content).toContain(`…]\ncompiled module ${Number(last) + 1}\n`);
  });

  it('keeps errors in the middle, with line numbers', async () => {
    const failures = {
      4000: 'src/a.ts(3,1): error TS2345: no',
      4100: 'FAIL test/lock.test.ts > releases the lock',
      4200: 'not ok 7 - flushes',
      4300: '--- FAIL: TestFlush (0.00s)',
      4400: 'exit code: 3',
    };
    const { content } = await ingest(output(9_000, failures));
    for (const [number, line] of Object.entries(failures))
      expect(content).toContain(`\n${number}: ${line}\n`);
  });

  it('states the number of warnings that are not shown', async () => {
    const { content } = await ingest(output(9_000, { 4000: 'warning: old', 4001: 'npm WARN old' }));
    expect(content).toContain('2 of them are warnings');
  });

  it('states the number of failures that do not fit', async () => {
    const { content } = await ingest(
      output(9_000).replaceAll(/module (\d+)/g, 'Error: module $1 cannot be found anywhere'),
    );
    expect(content).toMatch(/\[… \d{4} more lines like these …\]/);
  });

  it('is not searched for failures if it is the text of a file', async () => {
    const { content } = await ingest(output(9_000, { 4000: 'throw new TypeError(message)' }), {
      tool: 'read_file',
    });
    expect(content).not.toContain('TypeError');
  });

  it('may be hidden later, but not cut again', async () => {
    const { content, truncation } = await ingest(output(9_000));
    const ingested = { ...message('m12', 'a', content), truncation: truncation! };
    expect([isCut(ingested), isShortened(ingested)]).toEqual([true, false]);
  });

  it("takes at most an eighth of the window's room", async () => {
    const { content } = await ingest(output(9_000), { window: 8_000 });
    expect(resultLimit(budgetOf(8_000))).toBe(875);
    expect(await meter.countText(content)).toBeLessThanOrEqual(875);
  });

  it('stays JSON if its strings make it long', async () => {
    const page = { url: 'https://example.org', text: output(9_000), links: ['a', 'b'] };
    const { content } = await ingest(JSON.stringify(page));
    const parsed = JSON.parse(content) as typeof page;
    expect({ ...parsed, text: '' }).toEqual({ ...page, text: '' });
    expect(parsed.text).toContain('characters left out: recall("m12")');
  });

  it('is shortened line by line if it is JSON of many small values', async () => {
    const { content } = await ingest(
      JSON.stringify(
        Array.from({ length: 9_000 }, (_, id) => ({ id })),
        null,
        1,
      ),
    );
    expect(content).toContain('left out: recall("m12")');
  });
});

describe('a result with any text', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['one line of five megabytes', 'x'.repeat(5_000_000)],
    ['nothing but space', ' '.repeat(5_000_000)],
    ['Chinese without a line feed', '锁在写入后没有释放。'.repeat(300_000)],
    ['characters of two units', '😀🎉'.repeat(100_000)],
    ['a hundred thousand lines', output(100_000)],
  ];

  it.each(texts)('fits into its limit: %s', async (_name, text) => {
    const { content, original } = await ingest(text);
    expect(await meter.countText(content)).toBeLessThanOrEqual(6_000);
    expect(original).toBe(text);
  });

  it('is counted only in parts of limited length', async () => {
    const counted: number[] = [];
    const counting = Object.create(meter) as UsageMeter;
    counting.countText = (text) => {
      counted.push(text.length);
      return meter.countText(text);
    };
    const result = { content: 'word '.repeat(1_000_000), isError: false };
    await createIngest(counting, () => budgetOf(undefined))(result, 'run_command', 'm12');
    expect(Math.max(...counted)).toBeLessThan(100_000);
  });

  it('fits into its limit, and splits no character', async () => {
    const piece = fc.constantFrom('\n', 'word ', '锁', '😀', 'Error: EBUSY\n', 'x'.repeat(300), '{"a": 1}\n');
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { minLength: 200, maxLength: 2_000, size: 'max' }), async (pieces) => {
        const text = pieces.join('');
        const { content, original } = await ingest(text, { window: 8_000 });
        expect(await meter.countText(content)).toBeLessThanOrEqual(875);
        expect(content).not.toMatch(/\p{Surrogate}/u);
        expect(original ?? content).toBe(text);
      }),
      { numRuns: soak(25, 150) },
    );
  });
});
