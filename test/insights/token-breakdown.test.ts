import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { repairPairs } from '../../src/compaction/messages/exchange.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import { noSession } from '../../src/compaction/quoting/session-tags.ts';
import { summaryText } from '../../src/compaction/summary/summary-form.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { protectionReasons } from '../../src/insights/protected-tokens.ts';
import { breakDownTokens, type HeldView } from '../../src/insights/token-breakdown.ts';
import { createMeter } from '../support/engine.ts';
import { histories } from '../support/histories.ts';
import { called, memory, result, said, system, textOfTokens, typed } from '../support/messages.ts';

describe('the breakdown of tokens', () => {
  const tools = [{ type: 'function', function: { name: 'read', description: textOfTokens(50) } }] as const;
  const view: readonly Message[] = [
    system('s', 'rules'),
    memory('n', 'use tabs'),
    typed('u1', 'find it'),
    called('a1', ['c1', 'read_file', { path: './src/lock.ts' }]),
    result('r1', 'c1', textOfTokens(500)),
    called(
      'a2',
      ['c2', 'read_file', { path: 'src//lock.ts' }],
      ['c3', 'run_command', { command: 'npm test' }],
    ),
    result('r2', 'c2', textOfTokens(300)),
    result('r3', 'c3', textOfTokens(100)),
    said('a3', 'found'),
    typed('u2', 'thanks'),
  ];
  const held = (part: Partial<HeldView> = {}): HeldView => ({
    view,
    tools: [],
    pins: new Set(),
    protectFirst: false,
    ...part,
  });

  describe('of a context', () => {
    let meter: UsageMeter;
    beforeAll(async () => {
      meter = await createMeter();
    });
    const tokensOf = async (...ids: readonly string[]) =>
      (await meter.measure(view.filter(({ id }) => ids.includes(id)))).total;

    it('describes a summary by its content, not by the tags around it', async () => {
      const text = summaryText('The lock is taken twice.', noSession);
      const summary: Message = { ...typed('s1', text), kind: 'summary', origin: 'strategy' };
      const { largest } = await breakDownTokens(held({ view: [summary] }), meter, 1);
      expect(largest[0]?.title).toBe('The lock is taken twice.');
    });

    it('describes the largest messages by their calls', async () => {
      const { largest } = await breakDownTokens(held(), meter, 3);
      expect(largest).toEqual([
        {
          id: 'r1',
          kind: 'toolResult',
          title: 'read_file ./src/lock.ts',
          tokens: await tokensOf('r1'),
        },
        { id: 'r2', kind: 'toolResult', title: 'read_file src//lock.ts', tokens: await tokensOf('r2') },
        { id: 'r3', kind: 'toolResult', title: 'run_command npm test', tokens: await tokensOf('r3') },
      ]);
    });

    it('adds up the arguments and results of each tool', async () => {
      const held = await breakDownTokens({ view, tools: [], pins: new Set(), protectFirst: false }, meter, 9);
      expect(held.tools).toMatchObject([
        { tool: 'read_file', calls: 2, resultTokens: await tokensOf('r1', 'r2') },
        { tool: 'run_command', calls: 1, resultTokens: await tokensOf('r3') },
      ]);
    });

    it('counts a file once, even if its path is written differently', async () => {
      const { files } = await breakDownTokens(held(), meter, 9);
      expect(files).toMatchObject([{ path: 'src/lock.ts', calls: 2 }]);
    });

    it('counts a result as superseded if the file was read again later', async () => {
      const again = [called('b', ['d', 'read_file', { path: 'a.ts' }]), result('q', 'd', textOfTokens(80))];
      const later = [called('b2', ['d2', 'read_file', { path: 'a.ts' }]), result('q2', 'd2', 'short')];
      const { stale } = await breakDownTokens(held({ view: [...again, ...later] }), meter, 9);
      expect(stale).toEqual({ messages: 1, tokens: (await meter.measure(again.slice(1))).total });
    });

    it('counts results that a compaction shortened', async () => {
      const hidden: Message = { ...result('r3', 'c3', 'hidden'), truncation: { fate: 'hide' } };
      const shorter = view.map((message) => (message.id === 'r3' ? hidden : message));
      const { shortened } = await breakDownTokens(held({ view: shorter }), meter, 9);
      expect(shortened.messages).toBe(1);
    });

    it('counts protected tokens, with one reason for each message', async () => {
      const { protected: kept } = await breakDownTokens(
        held({ tools, pins: new Set(['r3']), protectFirst: true }),
        meter,
        9,
      );
      expect(kept.byReason).toEqual({
        notInFile: 0,
        tools: (await meter.measureTools(tools)).total,
        system: await tokensOf('s'),
        memory: await tokensOf('n'),
        pins: await tokensOf('r3'),
        newestRequest: await tokensOf('u2'),
        firstRequest: await tokensOf('u1'),
      });
    });

    it('does not count the first request as protected if the setting is off', async () => {
      const { protected: kept } = await breakDownTokens(held(), meter, 9);
      expect(kept.byReason.firstRequest).toBe(0);
    });

    it('has tools that add up to their kinds, which include files and protected tokens', async () => {
      await fc.assert(
        fc.asyncProperty(histories, fc.boolean(), async ({ messages, pins }, protectFirst) => {
          const view = repairPairs(messages);
          const {
            usage,
            tools,
            files,
            protected: kept,
          } = await breakDownTokens(held({ view, pins, protectFirst }), meter, Number.POSITIVE_INFINITY);
          const all = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
          expect(all(tools.map(({ callTokens }) => callTokens))).toBe(usage.byKind.toolCall);
          expect(all(tools.map(({ resultTokens }) => resultTokens))).toBe(usage.byKind.toolResult);
          expect(all(files.map(({ tokens }) => tokens))).toBeLessThanOrEqual(
            usage.byKind.toolCall + usage.byKind.toolResult,
          );
          expect(all(protectionReasons.map((reason) => kept.byReason[reason]))).toBe(kept.total);
          expect(kept.total).toBeLessThanOrEqual(usage.total);
        }),
        { numRuns: 100 },
      );
    });
  });
});
