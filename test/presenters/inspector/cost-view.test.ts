import { describe, expect, it } from 'vitest';
import type { ModelFacts } from '../../../src/compaction/budget/model-table.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { costView } from '../../../src/presenters/inspector/cost-view.ts';
import { entriesOf, said, typed } from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

const priced: ModelFacts = {
  encoding: 'o200k_base',
  isStandIn: false,
  price: { input: 1, output: 2, cachedInput: 0.1 },
};
const factsOf = (model: string): ModelFacts => {
  if (model === 'priced') return priced;
  return { encoding: 'o200k_base', isStandIn: false };
};
const answer = (id: string, changes: Partial<Message> = {}): Message => ({
  ...said(id, 'yes'),
  usage: { inputTokens: 1_000_000, outputTokens: 0 },
  ...changes,
});
const chat = (...messages: readonly Message[]) => transcriptOf(entriesOf([typed('u', 'hi'), ...messages]));

describe('the cost of a chat so far', () => {
  it('includes its requests, its summaries and its sub-agents', () => {
    const record = {
      ...recordWith('k1', [], []),
      summary: { model: 'priced', promptTokens: 500_000, outputTokens: 250_000, attempts: 1 },
    };
    const compacted = transcriptOf([...chat(answer('a')).entries, { type: 'compaction', record }]);
    expect(costView(compacted, [chat(answer('b'), answer('c'))], 'priced', factsOf)).toEqual({
      total: 4,
      requests: 1,
      summaries: 1,
      subAgents: 2,
      isAtLeast: false,
    });
  });

  it('uses the price of the model that each reply names', () => {
    const mixed = chat(answer('a', { modelId: 'priced' }), answer('b', { modelId: 'free' }));
    expect(costView(mixed, [], 'free', factsOf)).toMatchObject({ total: 1, isAtLeast: true });
  });

  it.each([
    ['without a price', chat(answer('a')), 'free'],
    ['of an unknown model', chat(answer('a')), undefined],
    ['that nothing was reported of', chat(said('a', 'yes')), 'priced'],
    ['before its first request', chat(), 'priced'],
  ])('is unknown in a chat %s', (_which, transcript, model) => {
    expect(costView(transcript, [], model, factsOf)).toBeUndefined();
  });
});
