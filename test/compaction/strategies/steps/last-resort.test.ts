import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairPairs } from '../../../../src/compaction/messages/exchange.ts';
import { type Message, textOf } from '../../../../src/compaction/messages/message.ts';
import { none } from '../../../../src/compaction/strategies/none.ts';
import { findViolations } from '../../../../src/compaction/messages/validity.ts';
import { applyRecord } from '../../../../src/compaction/transcript/view.ts';
import { createMeter, runCompaction } from '../../../support/engine.ts';
import { histories } from '../../../support/histories.ts';
import { called, result, said, system, textOfTokens, typed } from '../../../support/messages.ts';

const meter = await createMeter();

/** The last tier follows a strategy that misses a hard target; `none` always misses it. */
describe('the last resort for a hard requirement', () => {
  const run = async (view: readonly Message[], target: number, pins = new Set<string>()) => {
    const records = await runCompaction({ view, strategy: none, requirement: 'hard', target, pins }, meter);
    const record = records.at(-1)!;
    return { record, after: record.status === 'applied' ? applyRecord(view, record) : view };
  };
  const history = [
    system('m1', 'rules'),
    typed('m2', 'first request'),
    called('m3', ['a', 'read_file', { path: 'src/store.ts' }]),
    result('m4', 'a', textOfTokens(4_000)),
    said('m5', textOfTokens(500)),
    typed('m6', 'second request'),
    called('m7', ['b', 'bash', { command: 'npm test' }]),
    result('m8', 'b', `TypeError: x is undefined\n${textOfTokens(300)}`),
  ];

  it('keeps protected messages and the newest exchanges, and folds the rest into a list of facts', async () => {
    const { record, after } = await run(history, 1_500);
    expect(record).toMatchObject({ status: 'applied', actualStrategy: 'fold', requestedStrategy: 'none' });
    expect(after.map(({ id }) => id)).toEqual(['m1', 'c2.1', 'm6', 'm7', 'm8']);
    expect(textOf(after[1]!.content)).toContain('“first request”');
    expect(textOf(after[1]!.content)).toContain('src/store.ts');
  });

  it('records every attempt', async () => {
    const { record } = await run(history, 1_500);
    expect(record.tiers.map(({ strategy, status }) => [strategy, status])).toEqual([
      ['none', 'unchanged'],
      ['fold', 'applied'],
    ]);
  });

  it('clips the newest result if it alone exceeds the target', async () => {
    const view = [...history.slice(0, 7), result('m8', 'b', `start ${textOfTokens(20_000)} end`)];
    const { after } = await run(view, 2_000);
    const newest = textOf(after.at(-1)!.content);
    expect(newest).toMatch(/^start/);
    expect(newest).toMatch(/recall\("m8"\) returns all of it/);
    expect(newest).toMatch(/end$/);
  });

  it('clips a protected message that alone exceeds the target, and warns', async () => {
    const view = [system('m1', 'rules'), typed('m2', `please read: ${textOfTokens(20_000)} thanks`)];
    const { record, after } = await run(view, 2_000);
    expect(record.warnings[0]).toContain('m2 is too large for the window');
    expect(textOf(after[1]!.content)).toMatch(/^please read[\s\S]*thanks$/);
  });

  it('clips the arguments of a call whose result is pinned, and warns', async () => {
    const content = textOfTokens(7_000);
    const view = [
      system('m1', 'rules'),
      typed('m2', 'Write the file.'),
      { ...called('m3', ['a', 'write_file', { path: 'src/big.ts', content }]), content: textOfTokens(600) },
      result('m4', 'a', 'written'),
      said('m5', textOfTokens(1_500)),
      typed('m6', 'go on'),
    ];
    const { record, after } = await run(view, 2_000, new Set(['m4']));
    expect(record).toMatchObject({
      status: 'applied',
      warnings: [expect.stringMatching(/^Message m3 is too large/)],
    });
    expect(record.after.tokens).toBeLessThanOrEqual(2_000);
    const writing = after.find(({ id }) => id === 'm3')!;
    expect(JSON.parse(writing.tool_calls![0]!.function.arguments)).toMatchObject({ path: 'src/big.ts' });
    expect(after.find(({ id }) => id === 'm4')).toBe(view[3]);
  });

  it('keeps the image of a request whose text is too long', async () => {
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const asked = { ...typed('m2', ''), content: [{ type: 'text', text: textOfTokens(20_000) }, image] };
    const { record, after } = await run([system('m1', 'rules'), asked], 2_000);
    expect(record.after.tokens).toBeLessThanOrEqual(2_000);
    expect(after[1]!.content).toMatchObject([{ type: 'text' }, image]);
  });

  it('fails with a reason if nothing helps', async () => {
    const { record, after } = await run([system('m1', textOfTokens(5_000)), typed('m2', 'hi')], 2_000);
    expect(record).toMatchObject({ status: 'failed', reason: { code: 'exhausted' } });
    expect(record.reason!.message).toContain('system messages');
    expect(after).toHaveLength(2);
  });

  it('leaves a pinned exchange unchanged', async () => {
    const { after } = await run(history, 4_800, new Set(['m4']));
    expect(after.map(({ id }) => id)).toContain('m3');
    expect(after.find(({ id }) => id === 'm4')).toBe(history[3]);
  });

  it('reaches the target or fails, and always leaves a valid view, for any target', async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.integer({ min: 20, max: 3_000 }), async ({ messages, pins }, target) => {
        const view = repairPairs(messages);
        const { total } = await meter.measure(view);
        if (total <= target) return;
        const { record, after } = await run(view, target, new Set(pins));
        if (record.status === 'applied') {
          expect(record.after.tokens).toBeLessThanOrEqual(target);
          expect(findViolations(after)).toEqual([]);
        } else expect(record.reason?.code).toBe('exhausted');
      }),
      { numRuns: 300 },
    );
  });
});
