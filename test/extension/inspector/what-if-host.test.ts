import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import type { Message } from '../../../src/compaction/message.ts';
import { isStrategyId, strategyIds, strategyOf } from '../../../src/compaction/strategies/index.ts';
import { resolveOptions } from '../../../src/compaction/strategies/options.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { append, type Transcript, transcriptOf } from '../../../src/compaction/transcript.ts';
import type { InspectorModel } from '../../../src/extension/inspector/inspector-model.ts';
import { WhatIfHost, type WhatIfSubject } from '../../../src/extension/inspector/what-if-host.ts';
import type { WhatIfNotification, WhatIfView } from '../../../src/extension/protocol/inspector-what-if.ts';
import type { CompactionRecord } from '../../../src/compaction/record.ts';
import { createMeter } from '../../support/engine.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../../support/messages.ts';

const messages: readonly Message[] = [
  system('s', 'rules'),
  typed('u', 'find it'),
  ...Array.from({ length: 24 }, (_, step): readonly Message[] => [
    called(`a${step}`, [`c${step}`, 'read_file', { path: `src/f${step}.ts` }]),
    result(`r${step}`, `c${step}`, textOfTokens(400)),
  ]).flat(),
  said('end', 'found'),
  typed('v', 'and now?'),
];

describe('trying all strategies', () => {
  let meter: UsageMeter;
  let posts: WhatIfNotification[];
  let told: string[];
  let used: string[];
  let applied: CompactionRecord[];
  let previews: { readonly id: string; readonly before: readonly Message[] }[];
  let transcript: Transcript;
  let host: WhatIfHost;

  beforeAll(async () => {
    meter = await createMeter();
  });

  beforeEach(() => {
    [posts, told, used, applied, previews] = [[], [], [], [], []];
    transcript = transcriptOf(entriesOf(messages));
    host = new WhatIfHost((notification) => posts.push(notification), {
      settings: () => ({
        current: 'ladder',
        protectFirst: true,
        focus: '',
        optionsOf: (id) => (isStrategyId(id) ? resolveOptions(strategyOf(id).options, {}).options : {}),
        factsOf: () => ({
          encoding: 'o200k_base',
          isStandIn: false,
          price: { input: 1, output: 2 },
          cache: { read: 0.1, write: 1.25, ttlSeconds: 300 },
        }),
      }),
      outside: () => undefined,
      useStrategy: (strategy) => Promise.resolve(void used.push(strategy)),
      tell: (sentence) => told.push(sentence),
      now: () => 0,
    });
  });

  const subject = (changes: Partial<WhatIfSubject> = {}): WhatIfSubject => ({
    sessionId: 's1',
    inspector: {
      preview: (record: CompactionRecord, before: readonly Message[]) =>
        Promise.resolve(void previews.push({ id: record.id, before })),
    } as unknown as InspectorModel,
    meter,
    transcript,
    tools: [],
    budget: createBudget({ window: 12_000, triggerRatio: 0.85, targetRatio: 0.5 }),
    model: 'gpt-5-mini',
    session: {
      applyRecord: (record) => {
        applied.push(record);
        return Promise.resolve(record);
      },
    },
    ...changes,
  });
  const views = (): readonly WhatIfView[] =>
    posts.flatMap((notification) => (notification.type === 'what-if' ? [notification.view] : []));
  const grown = () => append(transcript, { type: 'message', message: said('new', 'more') });

  it('is not begun by looking', async () => {
    await host.handle({ type: 'what-if-show' }, subject());
    expect(views()).toMatchObject([{ phase: 'idle', rows: [], current: 'ladder' }]);
  });

  it('tells after each, and has all but those that a person would have to write', async () => {
    await host.handle({ type: 'what-if-run' }, subject());
    const last = views().at(-1)!;
    expect(last).toMatchObject({ phase: 'done', isStale: false, running: undefined });
    expect(last.rows.map(({ strategy }) => strategy)).toEqual(strategyIds.filter((id) => id !== 'custom'));
    expect(views().map(({ rows }) => rows.length)).toEqual(expect.arrayContaining([0, 1, last.rows.length]));
  });

  it('says what each would leave, cost and keep, with money, and what is an estimate', async () => {
    await host.handle({ type: 'what-if-run' }, subject());
    const { rows, tokensBefore } = views().at(-1)!;
    const byName = new Map(rows.map((row) => [row.strategy, row]));
    const sliding = byName.get('sliding-window')!;
    expect(sliding.status).toBe('applied');
    expect(sliding.tokensAfter).toBeLessThan(tokensBefore);
    expect(sliding.coverage.files.total).toBe(24);
    expect(sliding.money?.savedPerCall).toBeGreaterThan(0);
    expect(sliding.isEstimate).toBe(false);
    expect(byName.get('llm-summary')).toMatchObject({ modelCalls: 1, isEstimate: true });
    expect(byName.get('none')).toMatchObject({ status: 'unchanged', money: undefined });
  });

  it('is no estimate where the offline model is the one that would be asked', async () => {
    await host.handle({ type: 'what-if-run' }, subject({ model: 'Offline model' }));
    expect(
      views()
        .at(-1)
        ?.rows.some(({ isEstimate }) => isEstimate),
    ).toBe(false);
  });

  it('is cancelled between strategies, and keeps what was done', async () => {
    const running = host.handle({ type: 'what-if-run' }, subject());
    await host.handle({ type: 'what-if-cancel' }, subject());
    await running;
    const { phase, rows, total } = views().at(-1)!;
    expect(phase).toBe('cancelled');
    expect(rows.length).toBeLessThan(total);
  });

  it('is of a conversation that can go on: then it is stale', async () => {
    await host.handle({ type: 'what-if-run' }, subject());
    await host.handle({ type: 'what-if-show' }, subject({ transcript: grown() }));
    expect(views().at(-1)?.isStale).toBe(true);
    const pinned = append(transcript, { type: 'pin', createdAt: '', messageIds: ['r1'], pinned: true });
    await host.handle({ type: 'what-if-show' }, subject({ transcript: pinned }));
    expect(views().at(-1)?.isStale).toBe(true);
  });

  it('is of one session only', async () => {
    await host.handle({ type: 'what-if-run' }, subject());
    await host.handle({ type: 'what-if-show' }, subject({ sessionId: 's2' }));
    expect(views().at(-1)).toMatchObject({ phase: 'idle', rows: [] });
  });

  it('names what would be lost', async () => {
    await host.handle({ type: 'what-if-run' }, subject());
    await host.handle({ type: 'what-if-lost', strategy: 'sliding-window' }, subject());
    const answer = posts.at(-1);
    expect(answer).toMatchObject({ type: 'what-if-lost', strategy: 'sliding-window' });
    expect(answer?.type === 'what-if-lost' && answer.lost.files).toContain('src/f0.ts');
  });

  it('shows a preview under an id that no record has', async () => {
    await host.handle({ type: 'what-if-run' }, subject());
    await host.handle({ type: 'what-if-preview', strategy: 'sliding-window' }, subject());
    expect(posts.at(-1)).toMatchObject({ type: 'what-if-preview', record: { id: 'what-if:sliding-window' } });
    expect(previews).toEqual([{ id: 'what-if:sliding-window', before: transcript.view }]);
  });

  it('applies one as it was planned', async () => {
    await host.handle({ type: 'what-if-run' }, subject());
    await host.handle({ type: 'what-if-apply', strategy: 'sliding-window' }, subject());
    expect(applied).toMatchObject([{ status: 'applied', actualStrategy: 'sliding-window' }]);
    expect(told).toEqual([]);
  });

  it('applies nothing of a strategy that changes nothing', async () => {
    await host.handle({ type: 'what-if-run' }, subject());
    await host.handle({ type: 'what-if-apply', strategy: 'none' }, subject());
    expect(applied).toEqual([]);
  });

  it('applies nothing to a conversation that went on', async () => {
    await host.handle({ type: 'what-if-run' }, subject());
    const now = subject({ transcript: grown() });
    await host.handle({ type: 'what-if-apply', strategy: 'sliding-window' }, now);
    expect(applied).toEqual([]);
    expect(told).toEqual(['The conversation went on since. Run the comparison again to apply this.']);
  });

  it('applies nothing to a session that can only be looked at', async () => {
    await host.handle({ type: 'what-if-run' }, subject());
    const looked = subject({ session: undefined });
    await host.handle({ type: 'what-if-apply', strategy: 'sliding-window' }, looked);
    expect(applied).toEqual([]);
  });

  it('makes a strategy the one of the workspace, if there is such a one', async () => {
    await host.handle({ type: 'what-if-use', strategy: 'budgeted' }, subject());
    await host.handle({ type: 'what-if-use', strategy: 'toString' }, subject());
    expect(used).toEqual(['budgeted']);
  });
});
