import { describe, expect, it } from 'vitest';
import { type Message, originalText, withoutOriginal } from '../../../src/compaction/messages/message.ts';
import type { CustomInput } from '../../../src/compaction/strategies/contract/custom-strategy.ts';
import { createHistorySearch } from '../../../src/compaction/retrieval/history-search.ts';
import { custom } from '../../../src/compaction/strategies/custom.ts';
import { strategyIds, strategyOf } from '../../../src/compaction/strategies/index.ts';
import type { Strategy } from '../../../src/compaction/strategies/contract/strategy.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { createMeter, runCompaction, SummaryModelDouble } from '../../support/engine.ts';
import { called, entriesOf, result, said, textOfTokens, typed } from '../../support/messages.ts';

const meter = await createMeter();

const shortened: Message = {
  ...result('m3', 'a', `beginning ${textOfTokens(2_000)} end`),
  original: 'beginning, a heron in the middle, end',
  truncation: { fate: 'tool' },
};
const view = [
  typed('m1', 'run it'),
  called('m2', ['a', 'run_command', { command: 'make' }]),
  shortened,
  said('m4', textOfTokens(300)),
  called('m5', ['b', 'run_command', { command: 'ls' }]),
  result('m6', 'b', 'x'),
  typed('m7', 'and now?'),
  said('m8', 'done'),
];

describe('the full text of a message that was shortened when it arrived', () => {
  it('is returned by recall', () => {
    expect([shortened, said('m4', 'all')].map(originalText)).toEqual([shortened.original, 'all']);
  });

  it('is not part of the message in context', () => {
    expect(withoutOriginal(shortened)).not.toHaveProperty('original');
    expect(withoutOriginal(view[0]!)).toBe(view[0]);
  });

  it('is found by a search even if the message is in context', async () => {
    const search = createHistorySearch((texts) => Promise.resolve(texts.map(({ length }) => length)));
    const found = await search(transcriptOf(entriesOf(view)), 'heron');
    expect(found).toMatchObject({ absent: 1, passages: [{ messageId: 'm3' }] });
  });
});

describe('a full text that is not in context', () => {
  it.each(strategyIds)('is neither recorded nor sent by %s', async (id) => {
    const model = new SummaryModelDouble('<summary>notes</summary>');
    const run = { view, strategy: strategyOf(id), model, requirement: 'hard' as const, target: 400 };
    const records = await runCompaction(run, meter);
    expect(JSON.stringify([records, model.requests.map(({ prompt }) => prompt)])).not.toContain('heron');
  });

  it('is given to a custom strategy only on request', async () => {
    const inputs: CustomInput[] = [];
    const originals: (Message | undefined)[] = [];
    const strategy: Strategy = {
      ...custom,
      plan: (input, ports, signal) =>
        custom.plan(
          input,
          {
            ...ports,
            customStrategy: () =>
              Promise.resolve({
                name: 'mine',
                plan: (outsideInput, outsidePorts) => {
                  inputs.push(outsideInput);
                  originals.push(outsidePorts.originals.find((message) => message.id === 'm3'));
                  return Promise.resolve({ kind: 'unchanged', reason: 'none' });
                },
              }),
          },
          signal,
        ),
    };
    await runCompaction({ view, strategy }, meter);
    expect(JSON.stringify(inputs[0]?.view)).not.toContain('heron');
    expect(originals).toMatchObject([{ content: shortened.original }]);
  });
});
