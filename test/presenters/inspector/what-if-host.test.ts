import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBudget } from '../../../src/compaction/budget/budget.ts';
import { CompactionFailure } from '../../../src/compaction/records/reason.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { isStrategyId, strategyIds, strategyOf } from '../../../src/compaction/strategies/index.ts';
import { resolveOptions } from '../../../src/compaction/strategies/contract/options.ts';
import type { UsageMeter } from '../../../src/compaction/tokens/usage.ts';
import { append, type Transcript, transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import type { CustomStrategy } from '../../../src/compaction/strategies/contract/custom-strategy.ts';
import { defaultImageRule } from '../../../src/compaction/images/image-tokens.ts';
import type { InspectorModel } from '../../../src/presenters/inspector/inspector-model.ts';
import type {
  ChangeableSession,
  InspectorTarget,
} from '../../../src/presenters/inspector/inspector-target.ts';
import { WhatIfHost } from '../../../src/presenters/inspector/what-if-host.ts';
import { tryStrategies } from '../../../src/presenters/inspector/what-if-trial.ts';
import type { ModelChoice } from '../../../src/presenters/models/model-choice.ts';
import type { WhatIfNotification, WhatIfView } from '../../../src/protocol/inspector-what-if.ts';
import type { CompactionRecord } from '../../../src/compaction/records/record.ts';
import { createMeter } from '../../support/engine.ts';
import { called, entriesOf, result, said, system, textOfTokens, typed } from '../../support/messages.ts';
import { addForeignCompactions } from '../../../src/transcripts/foreign-compactions.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';

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

const priced: ModelChoice = {
  isOffline: false,
  label: 'a model that no table has',
  encoding: 'o200k_base',
  isStandIn: false,
  price: { input: 1, output: 2 },
  cache: { read: 0.1, write: 1.25 },
};

describe('trying all strategies', () => {
  let meter: UsageMeter;
  let posts: WhatIfNotification[];
  let told: string[];
  let used: string[];
  let applied: CompactionRecord[];
  let previews: { readonly id: string; readonly before: readonly Message[] }[];
  let transcript: Transcript;
  let customStrategy: (() => Promise<CustomStrategy>) | undefined;
  let fails: boolean;
  let host: WhatIfHost;

  beforeAll(async () => {
    meter = await createMeter();
  });

  beforeEach(() => {
    [posts, told, used, applied, previews] = [[], [], [], [], []];
    transcript = transcriptOf(entriesOf(messages));
    customStrategy = undefined;
    fails = false;
    host = new WhatIfHost((notification) => posts.push(notification), {
      settings: () => ({
        current: 'ladder',
        protectFirst: true,
        focus: '',
        optionsOf: (id) => (isStrategyId(id) ? resolveOptions(strategyOf(id).options, {}).options : {}),
      }),
      customStrategy: () => customStrategy,
      tryAll: (trial, tried, custom, tellProgress, signal) =>
        fails
          ? Promise.reject(new Error('no thread'))
          : tryStrategies(
              trial,
              tried.transcript,
              { meter, customStrategy: custom, now: () => 0 },
              tellProgress,
              signal,
            ),
      useStrategy: (strategy) => Promise.resolve(void used.push(strategy)),
      wording: englishWording,
      tell: ({ english }) => told.push(english),
      now: () => 0,
    });
  });

  /** @param now its transcript @param id of the session */
  const shown = (parts: Partial<InspectorTarget> = {}, now = transcript, id = 's1'): InspectorTarget => ({
    inspector: {
      id,
      transcript: now,
      session: {
        tools: [],
        compaction: { budget: createBudget({ window: 12_000, triggerRatio: 0.85, targetRatio: 0.5 }) },
      },
      meter: { imageRule: defaultImageRule },
      preview: (record: CompactionRecord, before: readonly Message[]) =>
        Promise.resolve(void previews.push({ id: record.id, before })),
    } as unknown as InspectorModel,
    isChat: true,
    model: priced,
    changes: changing({
      applyRecord: (record) => {
        applied.push(record);
        return Promise.resolve(record);
      },
      compactNow: () => Promise.reject(new Error('This needs no model.')),
    }),
    ...parts,
  });
  /** A chat with only these parts. */
  const changing = (parts: Pick<ChangeableSession, 'applyRecord' | 'compactNow'>) =>
    parts as ChangeableSession;
  const views = (): readonly WhatIfView[] =>
    posts.flatMap((notification) => (notification.type === 'what-if' ? [notification.view] : []));
  const grown = () => append(transcript, { type: 'message', message: said('new', 'more') });

  it('does not begin when the tab is opened', async () => {
    await host.handle({ type: 'what-if-show' }, shown());
    expect(views()).toMatchObject([{ phase: 'idle', rows: [], current: 'ladder' }]);
  });

  it('reports after each strategy, and includes all strategies except custom ones', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    const last = views().at(-1)!;
    expect(last).toMatchObject({ phase: 'done', isStale: false, running: undefined });
    expect(last.rows.map(({ strategy }) => strategy)).toEqual(strategyIds.filter((id) => id !== 'custom'));
    expect(views().map(({ rows }) => rows.length)).toEqual(expect.arrayContaining([0, 1, last.rows.length]));
  });

  it('includes the custom strategy if one is set', async () => {
    const action = { kind: 'drop', ids: ['r0', 'a0'], reason: 'old' };
    const plan = () => Promise.resolve({ kind: 'plan', plan: { actions: [action] } });
    customStrategy = () => Promise.resolve({ name: './mine.mjs#Mine', plan });
    await host.handle({ type: 'what-if-run' }, shown());
    const row = views()
      .at(-1)
      ?.rows.find(({ strategy }) => strategy === 'custom');
    expect(row).toMatchObject({ status: 'applied' });
  });

  it('explains in its row why the custom strategy cannot run', async () => {
    customStrategy = () => Promise.reject(new CompactionFailure('custom-missing', 'There is no ./mine.mjs.'));
    await host.handle({ type: 'what-if-run' }, shown());
    const { phase, rows } = views().at(-1)!;
    expect(phase).toBe('done');
    expect(rows.find(({ strategy }) => strategy === 'custom')).toMatchObject({
      status: 'failed',
      reason: 'There is no ./mine.mjs.',
    });
  });

  it.each([
    [{ isOffline: true, label: 'Offline model' }, 'Not available with Offline model.'],
    [{ label: 'gpt-5-mini' }, 'Not available with gpt-5-mini.'],
    [{ compactsNatively: true }, 'Only the provider can do this, and comparisons call no provider.'],
  ])("explains why a provider's compaction is not compared: %j", async (model, reason) => {
    await host.handle({ type: 'what-if-run' }, shown({ model: { ...priced, ...model } }));
    const rows = views()
      .at(-1)!
      .rows.filter(({ strategy }) => strategy === 'provider-native');
    expect(rows).toMatchObject([{ status: 'failed', reason, savedPerCall: 0 }]);
  });

  it('explains a failure of the whole trial', async () => {
    fails = true;
    await host.handle({ type: 'what-if-run' }, shown());
    expect(views().at(-1)).toMatchObject({ phase: 'failed', problem: 'no thread' });
  });

  it('states the remaining tokens, cost and coverage for each strategy, and marks estimates', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    const { rows } = views().at(-1)!;
    const byName = new Map(rows.map((row) => [row.strategy, row]));
    const sliding = byName.get('sliding-window')!;
    expect(sliding.status).toBe('applied');
    expect(sliding.tokensAfter).toBeLessThan((await (await createMeter()).measure(messages)).total);
    expect(sliding.coverage.files.total).toBe(24);
    expect(sliding.money?.savedPerCall).toBeGreaterThan(0);
    expect(sliding.isEstimate).toBe(false);
    expect(byName.get('llm-summary')).toMatchObject({ modelCalls: 1, isEstimate: true });
    expect(byName.get('none')).toMatchObject({ status: 'unchanged', money: undefined });
  });

  it('is not an estimate if the chat uses the offline model', async () => {
    await host.handle({ type: 'what-if-run' }, shown({ model: { ...priced, isOffline: true } }));
    expect(
      views()
        .at(-1)
        ?.rows.some(({ isEstimate }) => isEstimate),
    ).toBe(false);
  });

  it('is an estimate in the session of another agent, whose own model writes its summaries', async () => {
    const { inspector, ...rest } = shown({ model: { ...priced, isOffline: true } });
    const session = { ...inspector.session, foreign: {} };
    await host.handle(
      { type: 'what-if-run' },
      { ...rest, inspector: { ...inspector, session } as InspectorModel },
    );
    const row = views()
      .at(-1)
      ?.rows.find(({ strategy }) => strategy === 'llm-summary');
    expect(row?.isEstimate).toBe(true);
  });

  it('can be cancelled between strategies, and keeps finished results', async () => {
    const running = host.handle({ type: 'what-if-run' }, shown());
    await host.handle({ type: 'what-if-cancel' }, shown());
    await running;
    const { phase, rows, total } = views().at(-1)!;
    expect(phase).toBe('cancelled');
    expect(rows.length).toBeLessThan(total);
  });

  it('is marked as outdated once the conversation continues', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    await host.handle({ type: 'what-if-show' }, shown({}, grown()));
    expect(views().at(-1)?.isStale).toBe(true);
    const pinned = append(transcript, { type: 'pin', createdAt: '', messageIds: ['r1'], pinned: true });
    await host.handle({ type: 'what-if-show' }, shown({}, pinned));
    expect(views().at(-1)?.isStale).toBe(true);
  });

  it('is not shown for another session', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    await host.handle({ type: 'what-if-show' }, shown({}, transcript, 's2'));
    expect(views().at(-1)).toMatchObject({ phase: 'idle', rows: [] });
  });

  it('lists facts that would be lost', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    await host.handle({ type: 'what-if-lost', strategy: 'sliding-window' }, shown());
    const answer = posts.at(-1);
    expect(answer).toMatchObject({ type: 'what-if-lost', strategy: 'sliding-window' });
    expect(answer?.type === 'what-if-lost' && answer.lost.files).toContain('src/f0.ts');
  });

  it('shows the preview of a strategy under a separate id', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    await host.handle({ type: 'what-if-preview', strategy: 'sliding-window' }, shown());
    expect(posts.at(-1)).toMatchObject({ type: 'what-if-preview', record: { id: 'what-if:sliding-window' } });
    expect(previews).toEqual([{ id: 'what-if:sliding-window', before: transcript.view }]);
  });

  it('applies a strategy as planned', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    await host.handle({ type: 'what-if-apply', strategy: 'sliding-window' }, shown());
    expect(applied).toMatchObject([{ status: 'applied', actualStrategy: 'sliding-window' }]);
    expect(told).toEqual([]);
  });

  it('shows which strategy was applied, until it is undone', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    await host.handle({ type: 'what-if-apply', strategy: 'sliding-window' }, shown());
    const after = append(transcript, { type: 'compaction', record: applied[0]! });
    await host.handle({ type: 'what-if-show' }, shown({}, after));
    expect(views().at(-1)).toMatchObject({ isStale: true, applied: 'sliding-window' });
    const undone = append(after, { type: 'undo', createdAt: '', recordIds: [applied[0]!.id] });
    await host.handle({ type: 'what-if-show' }, shown({}, undone));
    expect(views().at(-1)).toMatchObject({ isStale: false, applied: undefined });
  });

  it('does not apply a strategy without effect', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    await host.handle({ type: 'what-if-apply', strategy: 'none' }, shown());
    expect(applied).toEqual([]);
  });

  it('does not change a conversation that has continued', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    const now = shown({}, grown());
    await host.handle({ type: 'what-if-apply', strategy: 'sliding-window' }, now);
    expect(applied).toEqual([]);
    expect(told).toEqual([
      'The conversation has changed. Run the comparison again before you apply a strategy.',
    ]);
  });

  it('does not change a read-only session', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    const looked = shown({ changes: undefined });
    await host.handle({ type: 'what-if-apply', strategy: 'sliding-window' }, looked);
    expect(applied).toEqual([]);
  });

  describe("with a summary by the offline model in place of the session's own model", () => {
    const compactions: unknown[] = [];
    let answer: (record: Partial<CompactionRecord>) => void;
    const changes = changing({
      applyRecord: (record) => Promise.resolve(void applied.push(record)).then(() => record),
      compactNow: (request) => {
        compactions.push(request);
        return new Promise((resolve) => (answer = (record) => resolve(record as CompactionRecord)));
      },
    });
    beforeEach(() => compactions.splice(0));
    const apply = (parts: Partial<InspectorTarget> = {}) =>
      host.handle({ type: 'what-if-apply', strategy: 'llm-summary' }, shown({ changes, ...parts }));

    it("is made again by the session's own model before it is applied", async () => {
      await host.handle({ type: 'what-if-run' }, shown({ changes }));
      const applying = apply();
      expect(views().at(-1)).toMatchObject({ applying: 'llm-summary' });
      const strategy = strategyOf('llm-summary');
      expect(compactions).toEqual([{ strategy, options: resolveOptions(strategy.options, {}).options }]);
      await apply();
      expect(compactions).toHaveLength(1);
      answer({ status: 'applied' });
      await applying;
      expect(views().at(-1)?.applying).toBeUndefined();
      expect(applied).toEqual([]);
      expect(told).toEqual([]);
      await host.handle({ type: 'what-if-show' }, shown({}, grown()));
      expect(views().at(-1)).toMatchObject({ isStale: true, applied: 'llm-summary' });
    });

    it("reports why the session's own model failed", async () => {
      await host.handle({ type: 'what-if-run' }, shown({ changes }));
      const applying = apply();
      answer({ status: 'failed', reason: { code: 'model-failed', message: 'The model is away.' } });
      await applying;
      expect(told).toEqual(['LLM Summary was not applied. The model is away.']);
      expect(views().at(-1)).toMatchObject({ applying: undefined, applied: undefined });
    });

    it('is an estimate even if a model was chosen after the comparison', async () => {
      const offline = { ...priced, isOffline: true };
      await host.handle({ type: 'what-if-run' }, shown({ changes, model: offline }));
      await host.handle({ type: 'what-if-show' }, shown({ changes }));
      const row = views()
        .at(-1)
        ?.rows.find(({ strategy }) => strategy === 'llm-summary');
      expect(row?.isEstimate).toBe(true);
      const applying = apply();
      answer({ status: 'applied' });
      await applying;
      expect([compactions.length, applied.length]).toEqual([1, 0]);
    });

    it("is applied unchanged if the session's own model is the offline model", async () => {
      const offline = { ...priced, isOffline: true };
      await host.handle({ type: 'what-if-run' }, shown({ changes, model: offline }));
      await apply({ model: offline });
      expect(compactions).toEqual([]);
      expect(applied).toMatchObject([{ actualStrategy: 'llm-summary' }]);
    });
  });

  it('can set the strategy of the workspace if there is a workspace', async () => {
    await host.handle({ type: 'what-if-use', strategy: 'budgeted' }, shown());
    await host.handle({ type: 'what-if-use', strategy: 'toString' }, shown());
    expect(used).toEqual(['budgeted']);
  });

  describe('on a read-only session', () => {
    const later = [typed('w', 'and then?'), said('x', 'done')];
    let compacted: Transcript;

    beforeEach(async () => {
      const told = { agent: 'claude-code', beforeMessageIndex: messages.length, summary: 'Read src/f3.ts.' };
      const imported = {
        entries: entriesOf([...messages, ...later]),
        tools: [],
        compactions: [told],
        problems: [],
      };
      compacted = transcriptOf(await addForeignCompactions(imported, meter));
    });
    const looked = (now: Transcript) => shown({ changes: undefined }, now);

    it('starts with the moment before the last compaction', async () => {
      await host.handle({ type: 'what-if-show' }, looked(compacted));
      const { phase, before, moments } = views().at(-1)!;
      expect([phase, before]).toEqual(['idle', 'c1']);
      expect(moments).toMatchObject([{ recordId: 'c1' }]);
      expect(moments[0]?.tokensBefore).toBeGreaterThan(9_000);
    });

    it('tries strategies on that moment, beside the actual compaction', async () => {
      await host.handle({ type: 'what-if-run', before: 'c1' }, looked(compacted));
      const { before, made, moments, rows } = views().at(-1)!;
      expect(before).toBe('c1');
      expect(made).toMatchObject({
        strategy: 'c1',
        title: 'claude-code',
        tokensAfter: moments[0]?.tokensAfter,
      });
      expect(made?.coverage.files).toEqual({ kept: 1, total: 24 });
      const ladder = rows.find(({ strategy }) => strategy === 'ladder');
      expect(ladder).toMatchObject({ status: 'applied' });
      expect(ladder?.coverage.files.total).toBe(24);
    });

    it('shows the diff and the lost facts of the actual compaction', async () => {
      await host.handle({ type: 'what-if-run', before: 'c1' }, looked(compacted));
      await host.handle({ type: 'what-if-lost', strategy: 'c1' }, looked(compacted));
      const answer = posts.at(-1);
      const files = answer?.type === 'what-if-lost' ? answer.lost.files : [];
      expect([files.length, files.includes('src/f3.ts')]).toEqual([23, false]);
      await host.handle({ type: 'what-if-preview', strategy: 'c1' }, looked(compacted));
      expect(previews.at(-1)).toEqual({ id: 'what-if:c1', before: transcript.view });
    });

    it('stays valid while the session grows, as long as the compaction does not change', async () => {
      await host.handle({ type: 'what-if-run', before: 'c1' }, looked(compacted));
      const longer = append(compacted, { type: 'message', message: said('new', 'more') });
      await host.handle({ type: 'what-if-show' }, looked(longer));
      expect(views().at(-1)?.isStale).toBe(false);
      const other = transcriptOf(
        compacted.entries.map((entry) =>
          entry.type === 'compaction' ? { ...entry, record: { ...entry.record } } : entry,
        ),
      );
      await host.handle({ type: 'what-if-show' }, looked(other));
      expect(views().at(-1)?.isStale).toBe(true);
    });

    it('tries strategies on the current context if the user chooses this', async () => {
      await host.handle({ type: 'what-if-run' }, looked(compacted));
      expect(views().at(-1)).toMatchObject({ before: undefined, made: undefined });
    });
  });

  it('offers no earlier moments in a chat, because its compactions can be run again', async () => {
    await host.handle({ type: 'what-if-run' }, shown());
    await host.handle({ type: 'what-if-apply', strategy: 'sliding-window' }, shown());
    const after = append(transcript, { type: 'compaction', record: applied[0]! });
    await host.handle({ type: 'what-if-show' }, shown({}, after));
    expect(views().at(-1)?.moments).toEqual([]);
  });
});
