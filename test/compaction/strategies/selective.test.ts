import { describe, expect, it } from 'vitest';
import { textOf, type Message } from '../../../src/compaction/messages/message.ts';
import { selective } from '../../../src/compaction/strategies/selective.ts';
import { applyRecord } from '../../../src/compaction/transcript/view.ts';
import { describeContract } from '../../contract/any-history.ts';
import { createMeter, runCompaction, SummaryModelDouble, type Run } from '../../support/engine.ts';
import { called, reminder, result, said, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

/** An exchange: `c1` calls, `r1` is the result. */
const exchange = (
  step: number,
  tokens: number,
  input: Readonly<Record<string, unknown>> = {},
): readonly Message[] => [
  called(`c${step}`, [`call${step}`, 'Read', input]),
  result(`r${step}`, `call${step}`, textOfTokens(tokens)),
];
const steps = (count: number, tokens: number): readonly Message[] =>
  Array.from({ length: count }, (_, index) => exchange(index + 1, tokens)).flat();

describe('selective', () => {
  const run = async (view: readonly Message[], more: Partial<Run> = {}) => {
    const model = new SummaryModelDouble('<summary>notes</summary>');
    return (await runCompaction({ view, strategy: selective, model, target: 2_000, ...more }, meter))[0]!;
  };
  const after = async (view: readonly Message[], more: Partial<Run> = {}) =>
    applyRecord(view, await run(view, more));
  const without = { summary: 'never' };

  it('removes whole exchanges, oldest first, until the target is met', async () => {
    const view = [typed('m1', 'the task'), ...steps(10, 300)];
    const ids = (await after(view)).map(({ id }) => id);
    expect(ids).toEqual([
      'm1',
      ...steps(10, 300)
        .slice(8)
        .map(({ id }) => id),
    ]);
  });

  it('has nothing to do if the target is already met', async () => {
    expect((await run([typed('m1', 'the task'), ...steps(10, 100)])).status).toBe('unchanged');
  });

  it('clips results of more than 600 tokens in the remaining exchanges to 200 tokens', async () => {
    const view = [typed('m1', 'the task'), ...exchange(1, 599), ...exchange(2, 601), ...exchange(3, 1_500)];
    const [, , small, , larger, , large] = await after(view, { target: 1_200, options: without });
    expect(small?.truncation).toBeUndefined();
    expect(await meter.countText(textOf(larger!.content))).toBeLessThanOrEqual(200);
    expect(await meter.countText(textOf(large!.content))).toBeLessThanOrEqual(200);
    expect(textOf(large!.content)).toContain('recall("r3")');
  });

  it('clips arguments of more than 500 tokens to 200 tokens, as valid JSON with unchanged paths', async () => {
    const input = (tokens: number) => ({ path: 'src/a.ts', content: textOfTokens(tokens) });
    const view = [typed('m1', 'x'), ...exchange(1, 10, input(400)), ...exchange(2, 10, input(900))];
    const view2 = await after(view, { target: 700, options: without });
    const [small, large] = view2.flatMap(({ tool_calls: calls = [] }) => calls);
    expect(JSON.parse(small!.function.arguments)).toEqual(input(400));
    expect(JSON.parse(large!.function.arguments)).toMatchObject({ path: 'src/a.ts' });
    expect(await meter.countText(large!.function.arguments)).toBeLessThanOrEqual(200);
  });

  it('does not cut messages that are already clipped', async () => {
    const [caller, answer] = exchange(1, 2_000);
    const truncated: Message = { ...answer!, truncation: { fate: 'clip', originalTokens: 9_000 } };
    const view = [typed('m1', 'the task'), caller!, truncated, ...exchange(2, 2_000)];
    const view2 = await after(view, { options: without });
    expect(view2[2]).toBe(truncated);
    expect(view2[4]?.truncation?.fate).toBe('clip');
  });

  describe('with reasoning', () => {
    const view = (...more: readonly Message[]) => [
      typed('m1', 'the task'),
      { ...called('c0', ['call0', 'Read']), reasoning: 'why' },
      result('r0', 'call0', textOfTokens(500)),
      ...steps(8, 500),
      ...more,
    ];

    it('protects the reasoning of an open tool loop', async () => {
      expect((await after(view(), { options: without })).map(({ id }) => id)).toContain('c0');
    });

    it.each([
      ['answer', said('m2', 'done')],
      ['next request', typed('m2', 'go on')],
    ])('no longer protects the reasoning after the %s', async (_name, message) => {
      expect((await after(view(message), { options: without })).map(({ id }) => id)).not.toContain('c0');
    });
  });

  describe('with old errors', () => {
    const failed = (id: string): Message => ({ ...result(`r${id}`, id, 'boom'), isError: true });
    const turns = Array.from({ length: 10 }, (_, index) => [
      typed(`t${index}`, 'next'),
      said(`s${index}`, textOfTokens(200)),
    ]).flat();
    const view = [
      typed('m1', 'the task'),
      called('e1', ['a', 'Read']),
      failed('a'),
      called('e2', ['b', 'Read'], ['c', 'Read']),
      failed('b'),
      result('rc', 'c', 'fine'),
      ...turns,
    ];
    const rules = { rules: [], ...without };

    it('removes an exchange only if all of its calls failed', async () => {
      const ids = (await after(view, { options: rules })).map(({ id }) => id);
      expect(ids.slice(0, 4)).toEqual(['m1', 'e2', 'rb', 'rc']);
    });

    it('restores the removed exchanges if the summary fails', async () => {
      const model = new SummaryModelDouble('');
      const long = [typed('m0', textOfTokens(500)), ...view];
      const options = { rules: [], keepRecentExchanges: 1 };
      const record = await run(long, { model, options });
      expect(record).toMatchObject({ status: 'refused', actions: [], reason: { code: 'summary-empty' } });
      expect(record.tiers.slice(0, 2)).toMatchObject([
        { strategy: 'selective', status: 'cancelled' },
        { strategy: 'summary', status: 'failed' },
      ]);
      expect(model.requests).toHaveLength(3);
    });
  });

  describe('if the rules free too little', () => {
    const chat = (turns: number, tokens: number) =>
      Array.from({ length: turns }, (_, index) => [
        typed(`t${index}`, textOfTokens(tokens)),
        said(`s${index}`, textOfTokens(tokens)),
      ]).flat();
    const options = { keepRecentExchanges: 2 };

    it('summarises older messages, and keeps the newest messages', async () => {
      const ids = (await after(chat(6, 250), { options })).map(({ id }) => id);
      expect(ids).toEqual(['c1.1', 's4', 't5', 's5']);
    });

    it('includes in the summary the messages that the rules removed', async () => {
      const model = new SummaryModelDouble('<summary>notes</summary>');
      const old = exchange(0, 300, { path: 'src/old.ts' });
      const view = [typed('m1', 'the task'), ...old, ...steps(2, 300), ...chat(6, 250)];
      const rules = [{ kind: 'toolResult', keep: 2 }];
      const record = await run(view, { model, options: { ...options, rules } });
      expect(model.requests[0]?.prompt).toContain('src/old.ts');
      expect(record.tiers.map(({ strategy, status }) => [strategy, status])).toEqual([
        ['selective', 'applied'],
        ['summary', 'applied'],
        ['selective', 'applied'],
      ]);
    });

    it('merges an earlier summary, but does not summarise it alone', async () => {
      const view = [typed('m1', textOfTokens(2_500)), ...chat(6, 250)];
      const pinned = { options, pins: new Set(['m1']) };
      const once = await after(view, pinned);
      expect((await run(once, pinned)).status).toBe('unchanged');

      const model = new SummaryModelDouble('<summary>new notes</summary>');
      const later = chat(4, 250).map((message) => ({ ...message, id: `later ${message.id}` }));
      const twice = await after([...once, ...later], { ...pinned, model });
      expect(model.requests[0]?.prompt).toContain('<earlier_summary');
      expect(twice.filter(({ kind }) => kind === 'summary')).toHaveLength(1);
    });

    it('always or never summarises, depending on the option', async () => {
      const small = chat(6, 50);
      const always = { ...options, summary: 'always' };
      expect((await after(small, { options: always })).some(({ kind }) => kind === 'summary')).toBe(true);
      expect((await run(chat(6, 250), { options: { ...options, ...without } })).status).toBe('unchanged');
    });
  });

  describe('the rules', () => {
    it('are applied by priority', async () => {
      const view = [
        typed('m1', 'the task'),
        reminder('m2', textOfTokens(2_000)),
        ...steps(7, 100),
        typed('m3', 'the next task'),
      ];
      const rules = [
        { kind: 'toolResult', keep: 5, priority: 10 },
        { kind: 'reminder', action: 'drop', keep: 0, priority: 5 },
      ];
      const ids = (await after(view, { options: { rules } })).map(({ id }) => id);
      expect(ids).toEqual(view.filter(({ id }) => id !== 'm2').map(({ id }) => id));
    });

    it('can protect messages', async () => {
      const options = { ...without, rules: [{ kind: 'toolResult', action: 'never' }] };
      expect((await run([typed('m1', 'x'), ...steps(10, 300)], { options })).status).toBe('unchanged');
    });

    it('clip old texts of the user and the model, but no texts of the newest turns', async () => {
      const view = [
        typed('m1', textOfTokens(900)),
        said('m2', textOfTokens(900)),
        typed('m3', textOfTokens(900)),
        said('m4', textOfTokens(900)),
      ];
      const rules = [
        { kind: 'assistant', keep: 0 },
        { kind: 'user', keep: 0 },
      ];
      const record = await run(view, { target: 500, options: { ...without, rules, protectRounds: 1 } });
      const clipped = record.actions.filter(({ kind }) => kind === 'clip').map(({ sourceIds: [id] }) => id);
      expect(clipped).toEqual(['m1', 'm2']);
    });
  });

  describeContract(selective, { keepRecentExchanges: 1, protectRounds: 1, summary: 'never' });
});
