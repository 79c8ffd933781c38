import { readFile } from 'node:fs/promises';
import { OfflineModel } from '../../src/agent/offline/offline-model.ts';
import {
  createBudget,
  defaultTargetRatio,
  defaultTriggerRatio,
  type BudgetSettings,
} from '../../src/compaction/budget/budget.ts';
import type { CompactionPorts } from '../../src/compaction/service/compact.ts';
import type { Message, ToolSchema } from '../../src/compaction/messages/message.ts';
import type { CoverageCount, ReasonCode, Requirement } from '../../src/compaction/records/record.ts';
import { strategyOf, type StrategyId } from '../../src/compaction/strategies/index.ts';
import { encodingCounter } from '../../src/compaction/tokens/token-counter.ts';
import { UsageMeter } from '../../src/compaction/tokens/usage.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { findViolations } from '../../src/compaction/messages/validity.ts';
import { cachePrices } from '../../src/measures/cache-account.ts';
import { compactAt, cutAt } from '../../src/measures/compare-strategies.ts';
import {
  decayOf,
  type DecayStep,
  keptTyped,
  needLater,
  type NeedLater,
} from '../../src/measures/need-later.ts';
import { billAppendOnly, billPolicy, replay, type Replay } from '../../src/measures/replay-session.ts';
import { conversationAbout, fateOf, supersessions, type SupersessionFate } from './superseded.ts';
import { readTranscript } from '../../src/library/foreign-transcripts.ts';
import { cutsBehindErrors, keptErrorLines } from './error-lines.ts';
import { maskAllButNewest } from './masking-policy.ts';

export const cuts = [0.4, 0.6, 0.8] as const;
export const windows = [32_000, 64_000, 128_000] as const;
/** Shares of a transcript after which the measurement of decay compacts. */
const decayCuts = [1 / 3, 2 / 3, 1];
const newestKept = 10;
const mostErrorCuts = 6;

/** A strategy at one cut and window, with a soft and with a hard target. */
export interface CutMeasure {
  readonly strategy: StrategyId;
  readonly cut: number;
  readonly window: number;
  readonly isApplied: boolean;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly needLater: NeedLater;
  /** Typed messages before the cut that are kept word for word. */
  readonly typed: CoverageCount;
  /** Number of views, before and after, that a strict endpoint would refuse. */
  readonly invalidViews: number;
  /** Recorded reason for missing a hard target. */
  readonly missedTarget: ReasonCode | 'no reason' | undefined;
}

/** Error lines that no later run resolved, at all cuts after outputs with errors. */
export interface ErrorMeasure {
  readonly strategy: StrategyId;
  readonly kept: CoverageCount;
}

export interface DecayMeasure {
  readonly strategy: StrategyId;
  readonly window: number;
  /** States after one, two and three compactions. */
  readonly steps: readonly DecayStep[];
}

export interface ReplayMeasure {
  readonly strategy: StrategyId;
  readonly window: number;
  readonly replay: Replay;
}

export interface TranscriptMeasures {
  readonly name: string;
  readonly tokens: number;
  readonly cuts: readonly CutMeasure[];
  /** Number of cuts and windows whose view was already within the target. */
  readonly skippedCuts: number;
  readonly errors: readonly ErrorMeasure[];
  readonly decays: readonly DecayMeasure[];
  readonly replays: readonly ReplayMeasure[];
  /** Cost of all calls without compaction, in tokens of uncached input. */
  readonly appendOnlyTokens: number;
  /** Cost of hiding all but the newest results before each call, in tokens of uncached input. */
  readonly maskingTokens: number;
}

/** Ports for a benchmark: the exact counter, and the offline summariser for strategies that need a model. */
export function benchmarkPorts(): CompactionPorts {
  let records = 0;
  return {
    meter: new UsageMeter(encodingCounter('o200k_base'), { countsReasoning: true, vocabulary: 'o200k_base' }),
    model: () => new OfflineModel({ window: 128_000 }),
    clock: { now: () => performance.timeOrigin + performance.now() },
    nextRecordId: () => `bench-${++records}`,
  };
}

export async function readMessages(path: string) {
  const { transcript, tools } = readTranscript(await readFile(path, 'utf8'));
  return { messages: messagesOf(transcript), tools };
}

/** Takes all measurements of one transcript. */
export async function measureTranscript(
  path: string,
  name: string,
  strategies: readonly StrategyId[],
  ports: CompactionPorts,
): Promise<TranscriptMeasures> {
  const { messages, tools } = await readMessages(path);
  const transcript = { messages, tools };
  const tokens = (await ports.meter.measure(messages)).total + (await ports.meter.measureTools(tools)).total;
  const cutMeasures: CutMeasure[] = [];
  const decays: DecayMeasure[] = [];
  const replays: ReplayMeasure[] = [];
  const errors: ErrorMeasure[] = [];
  for (const strategy of strategies) errors.push(...(await measureErrors(transcript, strategy, ports)));
  let skippedCuts = 0;
  for (const window of windows) {
    for (const share of cuts) {
      const measured = await measureCut(transcript, share, window, strategies, ports);
      if (measured.length === 0) skippedCuts++;
      cutMeasures.push(...measured);
    }
    for (const strategy of strategies) {
      decays.push(...(await measureDecay(transcript, window, strategy, ports)));
      replays.push(await measureReplay(transcript, window, strategy, ports));
    }
  }
  const masked = await billPolicy(transcript, ports, cachePrices.anthropic, maskAllButNewest(newestKept));
  const appendOnly = await billAppendOnly(transcript, ports, cachePrices.anthropic);
  return {
    name,
    tokens,
    cuts: cutMeasures,
    skippedCuts,
    errors,
    decays,
    replays,
    appendOnlyTokens: appendOnly.billedTokens,
    maskingTokens: masked.billedTokens,
  };
}

interface Conversation {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSchema[];
}

export function settingsOf(window: number): BudgetSettings {
  return { window, triggerRatio: defaultTriggerRatio, targetRatio: defaultTargetRatio };
}

/** Compacts to half of the window. Every measurement uses this function. */
function compactTo(
  view: readonly Message[],
  history: readonly Message[],
  { tools }: Conversation,
  choice: { readonly strategy: StrategyId; readonly window: number; readonly requirement: Requirement },
  ports: CompactionPorts,
) {
  const budget = createBudget(settingsOf(choice.window));
  const { requirement } = choice;
  const strategy = strategyOf(choice.strategy);
  const run = { view, history, tools, strategy, budget, requirement, target: budget.target };
  return compactAt(run, ports, new AbortController().signal);
}

async function measureCut(
  transcript: Conversation,
  share: number,
  window: number,
  strategies: readonly StrategyId[],
  ports: CompactionPorts,
): Promise<readonly CutMeasure[]> {
  const { messages } = transcript;
  const cut = cutAt(messages, share);
  const past = messages.slice(0, cut);
  const target = createBudget(settingsOf(window)).target ?? 0;
  const { total } = await ports.meter.measure(past);
  if (total + (await ports.meter.measureTools(transcript.tools)).total <= target) return [];
  const measures: CutMeasure[] = [];
  for (const strategy of strategies) {
    const run = (requirement: Requirement) =>
      compactTo(past, past, transcript, { strategy, window, requirement }, ports);
    const soft = await run('soft');
    const hard = await run('hard');
    const isOver = hard.record.after.tokens > target;
    measures.push({
      strategy,
      cut: share,
      window,
      isApplied: soft.record.status === 'applied',
      tokensBefore: soft.record.before.tokens,
      tokensAfter: soft.record.after.tokens,
      needLater: needLater(messages, cut, soft.view),
      typed: keptTyped(past, soft.view),
      invalidViews: [soft, hard].filter(({ view }) => findViolations(view).length > 0).length,
      missedTarget: isOver ? (hard.record.reason?.code ?? 'no reason') : undefined,
    });
  }
  return measures;
}

/** Measures errors at the smallest window and at a limited number of cuts. */
async function measureErrors(
  transcript: Conversation,
  strategy: StrategyId,
  ports: CompactionPorts,
): Promise<readonly ErrorMeasure[]> {
  const { messages } = transcript;
  const [window] = windows;
  const target = createBudget(settingsOf(window)).target ?? 0;
  const measures: ErrorMeasure[] = [];
  for (const share of cutsBehindErrors(messages, mostErrorCuts)) {
    const past = messages.slice(0, cutAt(messages, share));
    if ((await ports.meter.measure(past)).total <= target) continue;
    const choice = { strategy, window, requirement: 'soft' } as const;
    const { view } = await compactTo(past, past, transcript, choice, ports);
    measures.push({ strategy, kept: keptErrorLines(past, view) });
  }
  return measures;
}

/** Measures decay; undefined if one of the three compactions changed nothing, because only three are comparable. */
async function measureDecay(
  transcript: Conversation,
  window: number,
  strategy: StrategyId,
  ports: CompactionPorts,
): Promise<readonly DecayMeasure[]> {
  const { messages, tools } = transcript;
  const target = createBudget(settingsOf(window)).target ?? 0;
  const { total: toolTokens } = await ports.meter.measureTools(tools);
  const steps = await decayOf(
    messages,
    decayCuts.map((share) => cutAt(messages, share)),
    async (view, history) => {
      const { total } = await ports.meter.measure(view);
      if (total + toolTokens <= target) return view;
      const choice = { strategy, window, requirement: 'soft' } as const;
      const end = await compactTo(view, history, transcript, choice, ports);
      return end.record.status === 'applied' ? end.view : view;
    },
  );
  if (!steps.every(({ isCompacted }) => isCompacted)) return [];
  return [{ strategy, window, steps }];
}

async function measureReplay(
  transcript: Conversation,
  window: number,
  strategy: StrategyId,
  ports: CompactionPorts,
): Promise<ReplayMeasure> {
  const run = {
    ...transcript,
    strategy: strategyOf(strategy),
    budget: settingsOf(window),
    price: cachePrices.anthropic,
  };
  return { strategy, window, replay: await replay(run, ports, new AbortController().signal) };
}

/** Number of views that keep the new value, and number that show the old value as current. */
export interface SupersessionMeasure {
  readonly strategy: StrategyId;
  readonly conversations: number;
  readonly newKept: number;
  readonly staleCurrent: number;
}

/** Window for the short conversations about replaced values, in tokens. */
const windowOfTalk = 8_000;

/** Compacts conversations with a replaced value, and searches the views for the old and the new value. */
export async function measureSupersession(
  strategy: StrategyId,
  ports: CompactionPorts,
): Promise<SupersessionMeasure> {
  const fates: SupersessionFate[] = [];
  for (const supersession of supersessions) {
    const messages = conversationAbout(supersession);
    const choice = { strategy, window: windowOfTalk, requirement: 'soft' } as const;
    const { view } = await compactTo(messages, messages, { messages, tools: [] }, choice, ports);
    fates.push(fateOf(supersession, messages, view));
  }
  return {
    strategy,
    conversations: fates.length,
    newKept: fates.filter(({ isNewKept }) => isNewKept).length,
    staleCurrent: fates.filter(({ isStaleCurrent }) => isStaleCurrent).length,
  };
}
