import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { repairPairs } from '../../../src/compaction/messages/exchange.ts';
import { textOf, type Message } from '../../../src/compaction/messages/message.ts';
import { protectedIds } from '../../../src/compaction/messages/protection.ts';
import { recentWindow } from '../../../src/compaction/strategies/recent-window.ts';
import { describeContract } from '../../contract/any-history.ts';
import { viewAfter } from '../../contract/contract.ts';
import { createMeter, runCompaction } from '../../support/engine.ts';
import { histories } from '../../support/histories.ts';
import { called, result, said, system, textOfTokens, typed } from '../../support/messages.ts';
import { soak } from '../../support/soak.ts';

const meter = await createMeter();

/** Three turns of talk; each message takes 100 tokens. */
const talk: readonly Message[] = [
  system('m0', textOfTokens(97)),
  typed('m1', textOfTokens(97)),
  said('m2', textOfTokens(97)),
  typed('m3', textOfTokens(97)),
  said('m4', textOfTokens(97)),
  typed('m5', textOfTokens(97)),
];

/** A turn of three steps, each with a result of 400 tokens. */
const work: readonly Message[] = [
  typed('m1', textOfTokens(97)),
  ...[1, 2, 3].flatMap((step) => [
    called(`c${step}`, [`call${step}`, 'bash', { command: 'ls' }]),
    result(`r${step}`, `call${step}`, `begin ${step} ${textOfTokens(394)} end ${step}`),
  ]),
];

const orders = ['oldest-turns', 'newest-first'] as const;

describe('recent-window', () => {
  const compacted = async (
    view: readonly Message[],
    budget: number,
    order: (typeof orders)[number] = 'oldest-turns',
  ) => {
    const record = (
      await runCompaction({ view, strategy: recentWindow, options: { budget, order } }, meter)
    )[0]!;
    const after = viewAfter(view, record);
    return { record, after, ids: after.map(({ id }) => id), tokens: (await meter.measure(after)).total };
  };

  describe.each(orders)('%s', (order) => {
    it('leaves a view unchanged if it fits', async () => {
      expect((await compacted(talk, 600, order)).record.status).toBe('unchanged');
    });

    it('drops the oldest turn if that frees enough', async () => {
      expect((await compacted(talk, 400, order)).ids).toEqual(['m0', 'm3', 'm4', 'm5']);
    });

    it('always keeps the newest request', async () => {
      expect((await compacted(talk, 1, order)).ids).toEqual(['m0', 'm5']);
    });

    it('clips a JSON result to valid JSON', async () => {
      const rows = JSON.stringify(Array.from({ length: 300 }, (_, row) => ({ row, name: `name of ${row}` })));
      const view = [...work.slice(0, -2), called('c9', ['a', 'query']), result('r9', 'a', rows)];
      const { after } = await compacted(view, 1_000, order);
      const left = textOf(after.find(({ id }) => id === 'r9')!.content);
      expect(left).not.toBe(rows);
      expect(JSON.stringify(JSON.parse(left))).toContain('recall(');
    });

    it('never exceeds the budget, except with protected messages', async () => {
      await fc.assert(
        fc.asyncProperty(histories, fc.integer({ min: 100, max: 3_000 }), async ({ messages }, budget) => {
          const view = repairPairs(messages);
          const ids = protectedIds(view, { pins: new Set(), protectFirst: false });
          const least = await meter.measure(view.filter(({ id }) => ids.has(id)));
          const { tokens } = await compacted(view, budget, order);
          expect(tokens).toBeLessThanOrEqual(Math.max(budget, least.total));
        }),
        { numRuns: soak(40, 200) },
      );
    });

    it('removes an overlong user message before it removes a newer message', async () => {
      const view = [typed('m1', textOfTokens(2_000)), typed('m2', textOfTokens(100))];
      const { ids, after, tokens } = await compacted(view, 400, order);
      expect(ids.at(-1)).toBe('m2');
      expect(after.at(-1)).toEqual(view[1]);
      expect(tokens).toBeLessThanOrEqual(400);
    });
  });

  describe('with the order oldest-turns, within the newest turn', () => {
    it('clips the oldest result only as much as needed', async () => {
      const { after, ids, tokens } = await compacted(work, 1_200);
      expect(ids).toEqual(work.map(({ id }) => id));
      const clipped = textOf(after.find(({ id }) => id === 'r1')!.content);
      expect(clipped).toMatch(/^begin 1 [^]*recall\("r1"\) returns all of it[^]* end 1$/);
      expect(after.slice(3)).toEqual(work.slice(3));
      expect(tokens).toBeGreaterThan(1_150);
    });

    it('hides results that cannot be clipped enough, with a reference', async () => {
      const { after } = await compacted(work, 800);
      const [first, second, third] = ['r1', 'r2', 'r3'].map((id) =>
        textOf(after.find((message) => message.id === id)!.content),
      );
      expect(first).toMatch(/^\[Result of bash: \d+ tokens\. recall\("r1"\) returns all of it\.\]$/);
      expect(second).toContain('recall("r2")');
      expect(third).toBe(textOf(work[6]!.content));
    });

    it('drops the steps in the middle if hiding is not enough', async () => {
      expect((await compacted(work, 520)).ids).toEqual(['m1', 'c3', 'r3']);
    });

    it('clips the last step if nothing else is left', async () => {
      const { ids, after } = await compacted(work, 300);
      expect(ids).toEqual(['m1', 'c3', 'r3']);
      expect(textOf(after[2]!.content)).toContain('recall("r3")');
    });
  });

  it('with the order newest-first, clips the first exchange that does not fit, and stops there', async () => {
    const { ids, after, tokens } = await compacted(work, 800, 'newest-first');
    expect(ids).toEqual(['m1', 'c2', 'r2', 'c3', 'r3']);
    expect(textOf(after[2]!.content)).toContain('recall("r2")');
    expect(tokens).toBeLessThanOrEqual(800);
  });

  it('reduces the context to the target if that is smaller than the budget', async () => {
    const record = (await runCompaction({ view: talk, strategy: recentWindow, target: 400 }, meter))[0]!;
    expect(record.after.tokens).toBe(400);
  });

  describeContract(recentWindow, { order: 'newest-first', budget: 700 });
});
