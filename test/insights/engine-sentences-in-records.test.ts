import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import { repairPairs } from '../../src/compaction/messages/exchange.ts';
import type { CustomStrategy } from '../../src/compaction/strategies/contract/custom-strategy.ts';
import { actionText, reasonText, warningTexts } from '../../src/compaction/records/reason.ts';
import type { CompactionRecord } from '../../src/compaction/records/record.ts';
import { unlessStale } from '../../src/compaction/transcript/transcript.ts';
import { custom } from '../../src/compaction/strategies/custom.ts';
import { strategyIds, strategyOf, type StrategyId } from '../../src/compaction/strategies/index.ts';
import type { Strategy } from '../../src/compaction/strategies/contract/strategy.ts';
import type { SummaryModel } from '../../src/compaction/summary/summary-model.ts';
import type { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { chineseEngineSentences } from '../../src/insights/chinese-engine-sentences.ts';
import { sentenceLookup } from '../../src/insights/known-sentences.ts';
import { wordingFor } from '../../src/language/wording.ts';
import { createMeter, runCompaction, SummaryModelDouble, type Run } from '../support/engine.ts';
import { histories } from '../support/histories.ts';
import { called, result, textOfTokens, typed } from '../support/messages.ts';

/** How models behave, good and bad; one is not there. */
const models: Readonly<Record<string, () => SummaryModel | undefined>> = {
  offline: () => new OfflineModel({ window: 32_000 }),
  terse: () => new SummaryModelDouble('<summary>notes</summary>'),
  'with a small window': () => new SummaryModelDouble('<summary>notes</summary>', 3_000),
  native: () => {
    const compactNatively = () => Promise.resolve({ item: { endpoint: '', content: '{}' } });
    return Object.assign(new SummaryModelDouble('notes'), { compactNatively });
  },
  silent: () => new SummaryModelDouble(''),
  thinking: () => new SummaryModelDouble('<think>a long thought</think>'),
  'cut off': () => new SummaryModelDouble({ content: '<summary>half', finishReason: 'length' }),
  talkative: () => new SummaryModelDouble('blah '.repeat(2_000)),
  broken: () => new SummaryModelDouble(() => new Error('500')),
  missing: () => undefined,
};

const runs = fc.record({
  history: histories,
  model: fc.constantFrom(...Object.keys(models)),
  requirement: fc.constantFrom('soft', 'hard'),
  source: fc.constantFrom('manual', 'ratio', 'savings', 'overflow'),
  target: fc.integer({ min: 20, max: 5_000 }),
});

const textKinds = ['reminder', 'assistant', 'user', 'summary', 'toolResult'];
const rules = (action: string) => textKinds.map((kind, priority) => ({ kind, action, keep: 0, priority }));

/** Options with which strategies do, and say, something else than with their defaults. */
const variants: Partial<Record<StrategyId, readonly Readonly<Record<string, unknown>>[]>> = {
  'llm-summary': [{ preserveMessages: 0 }, { preserveMessages: 1 }],
  selective: [
    { rules: rules('drop'), protectRounds: 0, keepRecentExchanges: 0, summary: 'never' },
    { rules: rules('clip'), protectRounds: 0, clipResults: { over: 120, to: 90 }, summary: 'always' },
  ],
  'whole-history': [{ perSystemBlock: true }],
  'last-n-messages': [{ mode: 'summarise', n: 3 }, { n: 1 }, { since: 'yesterday' }],
  chunked: [{ size: 2 }],
  'retrieve-facts': [{ concepts: [] }, { fallback: 'llm-summary' }],
  'layered-truncation': [{ threshold: 64 }],
  'recent-window': [{ budget: 500 }, { budget: 500, order: 'newest-first' }],
  'middle-truncation': [{ maxChars: 200 }],
  'sliding-window': [{ budget: 300 }],
  'observation-masking': [
    { protectTokens: 0, minFreedTokens: 100_000 },
    { protectTokens: 0, early: true },
  ],
  budgeted: [{ protectTurns: 0, ageTurns: 0 }],
  ladder: [{ protectTokens: 0, early: true }],
};

const lookup = sentenceLookup(chineseEngineSentences);
const chinese = await wordingFor('zh-cn');

/** What of a record a reader of Chinese would read in English. */
function untranslated(record: CompactionRecord): readonly string[] {
  const { reason, tiers, actions } = record;
  const texts = [
    ...[reason, ...tiers.map((tier) => tier.reason)].flatMap((given) =>
      given === undefined ? [] : [reasonText(given, chinese)],
    ),
    ...warningTexts(record, chinese),
    ...actions.map((action) => actionText(action, chinese)),
  ];
  return texts.filter((text) => !/\p{Script=Han}/u.test(lookup(text) ?? text));
}

describe('what a record says', () => {
  let meter: UsageMeter;
  beforeAll(async () => {
    meter = await createMeter();
  });

  const untranslatedIn = async (run: Run) => (await runCompaction(run, meter)).flatMap(untranslated);

  it.each(strategyIds)('has Chinese words for all that comes of %s', async (id) => {
    const unknown: string[] = [];
    for (const options of [{}, ...(variants[id] ?? [])]) {
      for (const { history, model, ...rest } of fc.sample(runs, { numRuns: 4, seed: 3 })) {
        const summariser = models[model]?.();
        const run: Run = {
          view: repairPairs(history.messages),
          pins: history.pins,
          strategy: strategyOf(id),
          options,
          ...(summariser === undefined ? {} : { model: summariser }),
          ...rest,
        };
        unknown.push(...(await untranslatedIn(run)));
      }
    }
    expect(unknown).toEqual([]);
  });

  const view = [
    typed('u1', 'look at a.ts'),
    called('a1', ['c1', 'read_file', { path: 'a.ts' }]),
    result('r1', 'c1', textOfTokens(600)),
    typed('u2', 'go on'),
  ];
  const hiding = strategyOf('tool-result-hiding');
  const hide: Run = { view, strategy: hiding, options: { preserveRecentGroups: 0 } };

  it('has Chinese words for one that was stopped, and for one that came too late', async () => {
    const [applied] = await runCompaction(hide, meter);
    const base = { view, pins: new Set<string>() };
    const late = unlessStale(applied!, base, { ...base, view: view.slice(1) });
    expect([applied?.status, late.status]).toEqual(['applied', 'cancelled']);
    expect([applied!, late].flatMap(untranslated)).toEqual([]);
    expect(await untranslatedIn({ ...hide, signal: AbortSignal.abort() })).toEqual([]);
  });

  /** `custom`, with an answer that somebody else's strategy gave. */
  const answering = (answer: unknown): Strategy => {
    const outside: CustomStrategy = { name: 'mine', plan: () => Promise.resolve(answer) };
    const brought = { outside: () => Promise.resolve(outside) };
    return {
      ...custom,
      plan: (input, ports, signal) => custom.plan(input, { ...ports, ...brought }, signal),
    };
  };
  const dropping = (...ids: readonly string[]) => ({
    kind: 'plan',
    plan: { actions: [{ kind: 'drop', ids, reason: '旧' }] },
  });

  it.each([
    ['a plan that takes the request out', dropping('u2')],
    ['a plan that takes a call from its result', dropping('a1')],
    ['a plan for a message that is not there', dropping('x')],
    ['a plan that names a message twice', dropping('r1', 'r1')],
    ['a plan without actions', { kind: 'plan', plan: { actions: [] } }],
    ['no plan', 'nothing'],
    ['an answer of no known kind', { kind: 'maybe' }],
  ])('has Chinese words for a custom strategy whose answer is %s', async (_name, answer) => {
    expect(await untranslatedIn({ ...hide, strategy: answering(answer), options: {} })).toEqual([]);
  });
});
