import { beforeAll, describe, expect, it } from 'vitest';
import { createBudget, type BudgetSettings } from '../../../src/compaction/budget/budget.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import type {
  CompactionRecord,
  CoverageCount,
  RecordedAction,
} from '../../../src/compaction/records/record.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import {
  type TranscriptEntry,
  sameToolsThroughout,
} from '../../../src/compaction/transcript/transcript-entry.ts';
import { healthOf, type CheckedSession } from '../../../src/insights/health/session-health.ts';
import { checkAllocation } from '../../../src/insights/health/room-checks.ts';
import { healthIds, type HealthId, type HealthItem } from '../../../src/insights/health/health-item.ts';
import { englishWording, type Wording, wordingFor } from '../../../src/language/translated/wording.ts';
import { breakDownTokens } from '../../../src/insights/token-breakdown.ts';
import { createTimeline } from '../../../src/insights/session-timeline.ts';
import { createMeter } from '../../support/engine.ts';
import {
  called,
  entriesOf,
  memory,
  result,
  said,
  system,
  textOfTokens,
  typed,
} from '../../support/messages.ts';
import { recordWith } from '../../support/records.ts';

interface Session extends Partial<Pick<CheckedSession, 'mode' | 'hasServers'>> {
  readonly entries: readonly TranscriptEntry[];
  readonly budget?: Partial<BudgetSettings>;
  readonly pins?: ReadonlySet<string>;
}

/** A request and some reads, each with a result of the given tokens. */
function reads(count: number, tokens: number): readonly Message[] {
  return [
    system('s', 'rules'),
    typed('u', 'find it'),
    ...Array.from({ length: count }, (_, step): readonly Message[] => [
      called(`a${step}`, [`c${step}`, 'read_file', { path: `src/f${step}.ts` }]),
      result(`r${step}`, `c${step}`, `${step} ${textOfTokens(tokens)}`),
    ]).flat(),
  ];
}

const drop = (...sourceIds: readonly string[]): RecordedAction => ({
  kind: 'drop',
  sourceIds,
  reason: 'test',
  tokensBefore: 0,
  tokensAfter: 0,
});
const entry = (record: CompactionRecord): TranscriptEntry => ({ type: 'compaction', record });
/** A compaction that drops one read and pays off after the given number of calls. */
const dropRead = (step: number, breakEvenCalls: number | null = 2): TranscriptEntry =>
  entry({
    ...recordWith(`k${step}`, [drop(`a${step}`, `r${step}`)], []),
    cost: { cacheMissTokens: 100, savedPerCall: 100, breakEvenCalls },
  });
const reported = (message: Message, cachedInputTokens: number): Message => ({
  ...message,
  usage: { inputTokens: 1_000, cachedInputTokens, outputTokens: 10 },
});

describe('the health of a session', () => {
  let meter: UsageMeter;
  let chinese: Wording;
  beforeAll(async () => {
    meter = await createMeter();
    chinese = await wordingFor('zh-cn');
  });

  async function check({ entries, budget, pins = new Set(), ...rest }: Session) {
    const transcript = transcriptOf(entries);
    const { view } = transcript;
    const items = await healthOf(
      {
        transcript,
        timeline: await createTimeline(meter, sameToolsThroughout([]))(entries),
        breakdown: await breakDownTokens({ view, tools: [], pins, protectFirst: true }, meter, 5),
        budget: createBudget({ window: 16_000, triggerRatio: 0.85, targetRatio: 0.5, ...budget }),
        mode: 'auto',
        hasServers: true,
        ...rest,
      },
      meter,
    );
    return (id: HealthId): HealthItem => items.find((item) => item.id === id)!;
  }

  it('has a complete finding and advice for every point, in both languages', async () => {
    const item = await check({ entries: entriesOf(reads(6, 300)) });
    for (const id of healthIds) {
      const { finding, advice } = item(id);
      for (const wording of [englishWording, chinese]) {
        expect(wording.text(finding), id).not.toMatch(/[{}]/u);
        expect(advice === undefined ? '' : wording.text(advice), id).not.toMatch(/[{}]/u);
      }
    }
  });

  it('does not rate the prefix before the second request', async () => {
    const item = await check({ entries: entriesOf([typed('u', 'hi'), said('a', 'hello')]) });
    expect(item('prefix').state).toBe('unknown');
  });

  it('rates the prefix as good if every request begins with the previous one', async () => {
    const item = await check({ entries: entriesOf(reads(6, 300)) });
    expect(item('prefix')).toMatchObject({ state: 'good', finding: { values: { pairs: 5 } } });
  });

  it('states why and where the prefix changed', async () => {
    const messages = reads(6, 300);
    const item = await check({
      entries: [
        ...entriesOf(messages.slice(0, 8)),
        dropRead(0),
        ...entriesOf(messages.slice(8, 10)),
        { type: 'undo', createdAt: '', recordIds: ['k0'] },
        ...entriesOf(messages.slice(10)),
      ],
    });
    expect(item('prefix')).toMatchObject({
      state: 'bad',
      messageIds: ['a3', 'a4'],
      recordIds: ['k0'],
    });
    expect(englishWording.text(item('prefix').finding)).toBe(
      '3 of 5 requests could reuse the cache. 2 could not: 1 compaction, 1 undo.',
    );
  });

  it.each([
    [900, 'good'],
    [500, 'warning'],
    [100, 'bad'],
  ] as const)('rates %i of 1,000 tokens from the cache as "%s"', async (cached, state) => {
    const messages = reads(3, 10).map((message) =>
      message.role === 'assistant' ? reported(message, cached) : message,
    );
    const item = await check({ entries: entriesOf(messages) });
    expect(item('cache').state).toBe(state);
  });

  it('does not rate the cached share if no provider reported it', async () => {
    const item = await check({ entries: entriesOf(reads(3, 10)) });
    expect(item('cache').state).toBe('unknown');
  });

  it('warns if most of a request is unmasked tool output', async () => {
    const item = await check({ entries: entriesOf(reads(20, 500)) });
    expect(item('toolOutput')).toMatchObject({ state: 'warning', setting: 'contextBudget.strategy' });
  });

  it('rates small requests with much tool output as good', async () => {
    const item = await check({ entries: entriesOf(reads(2, 500)) });
    expect(item('toolOutput').state).toBe('good');
  });

  it('warns of a long result in context, but not of a shortened result', async () => {
    const long = [typed('u', 'go'), called('a', ['c', 'read_file']), result('r', 'c', textOfTokens(7_000))];
    const whole = await check({ entries: entriesOf(long) });
    expect(whole('ingest')).toMatchObject({ state: 'warning', messageIds: ['r'] });
    const short: Message = { ...result('r', 'c', 'the beginning'), original: textOfTokens(7_000) };
    const shortened = await check({ entries: entriesOf([...long.slice(0, 2), short]) });
    expect(shortened('ingest')).toMatchObject({
      state: 'good',
      finding: { key: 'insights.ingestShortened' },
    });
  });

  it.each([
    [0.5, 'warning', 'insights.triggerTooEarly'],
    [0.75, 'good', 'insights.triggerSensible'],
    [0.85, 'good', 'insights.triggerSensible'],
    [0.88, 'good', 'insights.triggerSensible'],
    [0.97, 'warning', 'insights.triggerTooLate'],
  ] as const)('rates a trigger at %d of the window as "%s"', async (triggerRatio, state, key) => {
    const item = await check({ entries: [], budget: { triggerRatio, reservedOutput: 100 } });
    expect(item('trigger')).toMatchObject({ state, finding: { key }, setting: 'contextBudget.triggerRatio' });
  });

  it('names the setting that determines the trigger', async () => {
    const tokens = await check({ entries: [], budget: { triggerTokens: 12_000 } });
    expect(tokens('trigger').setting).toBe('contextBudget.triggers');
    const off = await check({ entries: [], mode: 'off' });
    expect(off('trigger')).toMatchObject({ state: 'bad', setting: 'contextBudget.mode' });
    const unknown = await check({ entries: [], budget: { window: undefined } });
    expect(unknown('trigger')).toMatchObject({ state: 'unknown', setting: 'contextBudget.window' });
  });

  it('warns if instructions exceed their share of the window', async () => {
    const item = await check({ entries: entriesOf([system('s', textOfTokens(2_000)), typed('u', 'hi')]) });
    expect(item('allocation')).toMatchObject({
      state: 'warning',
    });
    const { finding } = item('allocation');
    expect(englishWording.text(finding)).toBe('System messages take 13% of the window.');
    expect(chinese.text(finding)).toBe('系统消息占上下文窗口的 13%。');
  });

  it('gives no advice about tools if no server can be turned off', async () => {
    const definition = { description: textOfTokens(4_000), parameters: {} };
    const tools: CheckedSession['breakdown'] = await breakDownTokens(
      {
        view: [],
        tools: [{ type: 'function', function: { name: 'read', ...definition } }],
        pins: new Set(),
        protectFirst: true,
      },
      meter,
      5,
    );
    const all = createBudget({ window: 16_000, triggerRatio: 0.85, targetRatio: 0.5 });
    expect(checkAllocation(tools.usage, all, true).state).toBe('warning');
    expect(checkAllocation(tools.usage, all, false)).not.toHaveProperty('advice');
  });

  it('lists protected content, and warns if it leaves no room to compact', async () => {
    const named = await check({ entries: entriesOf([system('s', 'rules'), typed('u', 'hi')]) });
    expect(named('protected')).toMatchObject({ state: 'good', finding: { key: 'insights.protectedNamed' } });
    const tight = await check({ entries: entriesOf([memory('m', textOfTokens(9_000)), typed('u', 'hi')]) });
    expect(tight('protected')).toMatchObject({ state: 'bad', finding: { key: 'insights.protectedTight' } });
  });

  it('states which facts the last compaction lost', async () => {
    const all: CoverageCount = { kept: 10, total: 10, missing: [] };
    const some: CoverageCount = { kept: 4, total: 10, missing: ['src/f0.ts'] };
    const record = recordWith('k', [drop('a0', 'r0')], []);
    const messages = reads(2, 10);
    const item = await check({
      entries: [
        ...entriesOf(messages),
        entry({
          ...record,
          coverage: { files: some, commands: all, errors: all, identifiers: all, userMessages: all },
        }),
      ],
    });
    expect(item('completeness')).toMatchObject({
      state: 'warning',
      recordIds: ['k'],
    });
    expect(englishWording.text(item('completeness').finding)).toBe('The last compaction lost 6 files.');
  });

  it('counts the calls after which a compaction has saved more than it cost', async () => {
    const messages = reads(6, 100);
    const at = (breakEven: number | null) =>
      check({
        entries: [
          ...entriesOf(messages.slice(0, 4)),
          dropRead(0, breakEven),
          ...entriesOf(messages.slice(4)),
        ],
      });
    expect((await at(3))('strategy')).toMatchObject({
      state: 'good',
      finding: { key: 'insights.strategyPaid', values: { breakEven: 3 } },
    });
    expect((await at(9))('strategy').finding.key).toBe('insights.strategyOpen');
    expect((await at(null))('strategy')).toMatchObject({
      state: 'warning',
      finding: { key: 'insights.strategyNever' },
    });
  });

  it('warns if nearly every call rewrites the view', async () => {
    const messages = reads(6, 100);
    const entries = messages.flatMap((message, index): readonly TranscriptEntry[] => {
      const isResult = message.role === 'tool';
      return [...entriesOf([message]), ...(isResult ? [dropRead((index - 3) / 2)] : [])];
    });
    const item = await check({ entries });
    expect(item('strategy')).toMatchObject({
      state: 'bad',
      finding: { key: 'insights.strategyOften', values: { compactions: 6, calls: 6 } },
    });
  });

  it('states the input of each task, and the cost with the cache', async () => {
    const messages = reads(6, 10).map((message) =>
      message.role === 'assistant' ? reported(message, 800) : message,
    );
    const item = await check({
      entries: entriesOf([...messages, typed('v', 'and now?')]),
      budget: { cachePrice: { read: 0.1, write: 1 } },
    });
    expect(item('task')).toMatchObject({
      state: 'good',
      finding: { key: 'insights.taskReported', values: { tasks: 2, perTask: 3_000, billedPerTask: 840 } },
    });
  });

  it('uses counted tokens if the provider does not report cached tokens', async () => {
    const item = await check({ entries: entriesOf(reads(6, 300)) });
    expect(item('task').finding.key).toBe('insights.taskCounted');
  });
});
