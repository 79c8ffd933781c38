import { describe, expect, it } from 'vitest';
import { textOf, type Message } from '../../../src/compaction/messages/message.ts';
import { layeredTruncation } from '../../../src/compaction/strategies/layered-truncation.ts';
import { applyRecord } from '../../../src/compaction/transcript/view.ts';
import { describeContract } from '../../contract/any-history.ts';
import { createMeter, runCompaction, type Run } from '../../support/engine.ts';
import { called, result, said, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const exchange = (step: number, text: string, input: Readonly<Record<string, unknown>> = {}) => [
  called(`c${step}`, ['call', 'Read', input]),
  result(`r${step}`, 'call', text),
];

describe('layered-truncation', () => {
  const run = async (view: readonly Message[], more: Partial<Run> = {}) =>
    (await runCompaction({ view, strategy: layeredTruncation, target: 2_000, ...more }, meter))[0]!;
  const clipped = async (view: readonly Message[], more: Partial<Run> = {}) =>
    (await run(view, more)).actions.filter(({ kind }) => kind === 'clip').map(({ sourceIds: [id] }) => id);

  const long = textOfTokens(1_000);
  const view = [
    typed('m1', long),
    said('m2', long),
    ...exchange(1, long),
    typed('m3', 'now that'),
    said('m4', 'yes'),
    ...exchange(2, long),
  ];

  it('clips tool results first, then messages of the user, then messages of the model', async () => {
    const options = { threshold: 500, rounds: 0 };
    expect(await clipped(view, { options, target: 3_500 })).toEqual(['r1']);
    expect(await clipped(view, { options, target: 3_000 })).toEqual(['m1', 'r1']);
    expect(await clipped(view, { options, target: 2_600 })).toEqual(['m1', 'm2', 'r1']);
  });

  it('states the id of the message in every clip', async () => {
    const after = applyRecord(view, await run(view, { options: { threshold: 500 } }));
    for (const message of after.filter(({ truncation }) => truncation !== undefined)) {
      expect(textOf(message.content)).toContain(`recall("${message.id}")`);
    }
  });

  it('leaves the newest message of each kind unchanged unless it alone exceeds the target', async () => {
    expect(await clipped(view, { options: { threshold: 500 }, target: 2_600 })).not.toContain('r2');
    const giant = [typed('m1', 'read it'), ...exchange(1, textOfTokens(5_000))];
    const record = await run(giant);
    const after = textOf(applyRecord(giant, record).at(-1)!.content);
    expect(after.startsWith('one two three')).toBe(true);
    expect(after.endsWith('eight nine ten')).toBe(true);
    expect(record.after.tokens).toBeLessThanOrEqual(2_000);
  });

  it('halves the limit in each round until the messages fit', async () => {
    const many = [
      typed('m0', 'go'),
      ...[1, 2, 3, 4, 5, 6, 7, 8].flatMap((step) => exchange(step, textOfTokens(400))),
    ];
    const whole = { options: { threshold: 500, rounds: 0 }, target: 2_600 };
    expect(await clipped(many, whole)).toEqual([]);
    expect(await clipped(many, { ...whole, options: { threshold: 500, rounds: 2 } })).not.toEqual([]);
  });

  it('removes whole exchanges from the middle if clipping is not enough', async () => {
    const many = [
      typed('m0', 'go'),
      ...Array.from({ length: 20 }, (_, step) => exchange(step, textOfTokens(150))).flat(),
    ];
    const record = await run(many, { options: { rounds: 0 } });
    const ids = applyRecord(many, record).map(({ id }) => id);
    expect(ids.slice(0, 3)).toEqual(['m0', 'c0', 'r0']);
    expect(ids.slice(-2)).toEqual(['c19', 'r19']);
    expect(ids).not.toContain('c10');
    expect(record.after.tokens).toBeLessThanOrEqual(2_000);
  });

  it('changes nothing below the target, even with many messages', async () => {
    const many = Array.from({ length: 400 }, (_, index) => said(`m${index}`, 'ok'));
    expect((await run([typed('m', 'go'), ...many], { target: 5_000 })).status).toBe('unchanged');
  });

  it('derives the target from the window of the model', async () => {
    const small = await run(view, { window: 4_000, target: 100_000, options: { threshold: 500 } });
    expect(small.after.tokens).toBeLessThanOrEqual(Math.floor(4_000 * 0.85 * 0.6));
    expect((await run(view, { window: 128_000, target: 100_000 })).status).toBe('unchanged');
  });

  it('warns if the target cannot be met, or folds messages for a hard requirement', async () => {
    const pinned = { pins: new Set(['m1', 'm2']) };
    const soft = await run(view, { ...pinned, target: 1_500, options: { threshold: 100 } });
    expect(soft.warnings[0]).toMatch(/more than the target 1,500/);
    const hard = await run(view, { target: 1_500, requirement: 'hard' });
    expect(hard.after.tokens).toBeLessThanOrEqual(1_500);
  });

  it('removes arguments that the result repeats', async () => {
    const input = { path: 'a.ts', content: textOfTokens(300) };
    const answer = JSON.stringify({ tool_execution: { arguments: input, result: 'ok' } });
    const echoing = [typed('m1', 'go'), ...exchange(1, answer, input), ...exchange(2, textOfTokens(100))];
    const after = applyRecord(echoing, await run(echoing, { target: 600 }));
    expect(after[2]?.content).toBe('{"tool_execution":{"result":"ok"}}');
  });

  it('leaves JSON unchanged if it contains numbers that would change', async () => {
    const input = { path: 'a.ts' };
    const answer = `{"id":12345678901234567890,"arguments":{"path":"a.ts"},"text":"${textOfTokens(300)}"}`;
    const echoing = [typed('m1', 'go'), ...exchange(1, answer, input), ...exchange(2, textOfTokens(100))];
    const record = await run(echoing, { target: 300, options: { threshold: 4_000, rounds: 0 } });
    expect(record.status).toBe('unchanged');
  });

  it('clips strings in the JSON of a result after removing the arguments of the call', async () => {
    const input = { path: 'a.ts', instructions: textOfTokens(300) };
    const output = { before: textOfTokens(2_000), after: textOfTokens(2_000), status: 'edited, 3 hunks' };
    const answer = JSON.stringify({
      tool_execution: { arguments: input, result: { success: true, output } },
    });
    const echoing = [typed('m1', 'go'), ...exchange(1, answer, input), ...exchange(2, textOfTokens(100))];
    const after = applyRecord(echoing, await run(echoing, { target: 1_200, options: { threshold: 1_000 } }));
    const { tool_execution: left } = JSON.parse(textOf(after[2]!.content)) as Record<string, unknown>;
    expect(left).toEqual({
      result: {
        success: true,
        output: {
          before: expect.stringContaining('recall("r1")') as string,
          after: expect.stringContaining('recall("r1")') as string,
          status: 'edited, 3 hunks',
        },
      },
    });
  });

  it.each([
    ['in every round', 1_000],
    ['down to the last round', 150],
  ])('keeps JSON valid %s', async (_name, target) => {
    const rows = JSON.stringify(Array.from({ length: 500 }, (_, row) => ({ row, name: `name of ${row}` })));
    const listing = [typed('m1', 'go'), ...exchange(1, rows), ...exchange(2, rows)];
    const after = applyRecord(listing, await run(listing, { target, options: { threshold: 1_000 } }));
    const results = after.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
    expect(results).not.toContain(rows);
    for (const text of results) expect(() => void JSON.parse(text)).not.toThrow();
  });

  describeContract(layeredTruncation, { threshold: 100, rounds: 1 });
});
