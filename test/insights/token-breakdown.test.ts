import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { repairPairs } from '../../src/compaction/messages/exchange.ts';
import { type Kind, kinds, type Message } from '../../src/compaction/messages/message.ts';
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

const seen: readonly Message[] = [
  system('s', 'rules'),
  memory('n', 'use tabs'),
  typed('u', 'find it'),
  called('a1', ['c1', 'read_file', { path: 'src/lock.ts' }]),
  result('r1', 'c1', `old ${textOfTokens(500)}`),
  called('a2', ['c2', 'read_file', { path: 'src/lock.ts' }], ['c3', 'run_command', { command: 'npm test' }]),
  result('r2', 'c2', `new ${textOfTokens(300)}`),
  result('r3', 'c3', textOfTokens(100)),
  said('a3', 'found'),
];

describe('the parts of a window', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });
  const breakDown = (messages: readonly Message[]) =>
    breakDownTokens({ view: messages, tools: [], pins: new Set(), protectFirst: true }, meter, 5);
  const partsOf = async (kind: Kind, messages = seen) =>
    (await breakDown(messages)).parts.filter((part) => part.kind === kind);

  it('add up to the tokens of each kind', async () => {
    const { parts, usage } = await breakDown(seen);
    for (const kind of kinds) {
      const own = parts.filter((part) => part.kind === kind);
      expect(
        own.reduce((sum, { tokens }) => sum + tokens, 0),
        kind,
      ).toBe(usage.byKind[kind]);
    }
  });

  it('are the results about a file, the newest first, and other results by their call', async () => {
    expect(await partsOf('toolResult')).toMatchObject([
      { name: 'src/lock.ts', messages: 2, messageIds: ['r2', 'r1'] },
      { name: 'run_command npm test', messages: 1, messageIds: ['r3'] },
    ]);
  });

  it('name the results that a later one replaces, and what hiding them frees', async () => {
    const [read] = await partsOf('toolResult');
    expect(read?.stale?.messageIds).toEqual(['r1']);
    const { total } = await meter.measure(seen.filter(({ id }) => id === 'r1'));
    expect(read?.stale?.frees).toBe(total - 40);
  });

  it('are the calls of a tool, which free their results, too', async () => {
    const [read] = await partsOf('toolCall');
    expect(read).toMatchObject({ name: 'read_file', messageIds: ['a2', 'a1'] });
    const both = seen.filter(({ id }) => /^[ar][123]$/.test(id) && id !== 'a3');
    expect(read?.frees).toBe((await meter.measure(both)).total);
  });

  it('free nothing if their messages are hidden already', async () => {
    const hidden: Message = { ...result('r3', 'c3', 'hidden'), truncation: { fate: 'hide' } };
    const parts = await partsOf(
      'toolResult',
      seen.map((message) => (message.id === 'r3' ? hidden : message)),
    );
    expect(parts.at(-1)?.frees).toBe(0);
  });

  it('have the source of copied text as their name', async () => {
    const copied = { ...memory('n', 'use tabs'), source: 'AGENTS.md' };
    expect(await partsOf('memory', [copied])).toMatchObject([{ name: 'AGENTS.md' }]);
  });

  it('gather what is too small to be listed', async () => {
    const many = Array.from({ length: 30 }, (_, index) => said(`a${index}`, `answer ${index}`));
    const parts = await partsOf('assistant', many);
    expect(parts).toHaveLength(25);
    expect(parts.at(-1)).toMatchObject({ name: '', messages: 6, messageIds: [], frees: 0 });
  });
});
