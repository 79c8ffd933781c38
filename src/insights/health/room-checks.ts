import { type AllocationGroup, type Budget, groupOf, shareOf } from '../../compaction/budget/budget.ts';
import { kinds, type Message } from '../../compaction/messages/message.ts';
import type { CompactionMode } from '../../compaction/service/service-ports.ts';
import type { Usage } from '../../compaction/tokens/usage.ts';
import type { ProtectedTokens } from '../protected-tokens.ts';
import type { HealthItem } from './health-item.ts';
import { sentence } from '../health-text.ts';
import type { TokenBreakdown } from '../token-breakdown.ts';

/** Share of a request from where on the guide has tool output masked first. */
const muchToolOutput = 0.5;
/** Share of a request that is too much for results which later ones make up for. */
const muchStale = 0.1;
/** Below this share of the trigger there is nothing to free yet. */
const smallView = 0.5;
/** Results of more tokens than this are long: no more of one goes into the view when it comes in. */
const longResult = 6_000;
/** Shares of the window between which the guide has compactions start, and up to which ours may. */
const earliestTrigger = 0.7;
const guideTrigger = 0.8;
const latestTrigger = 0.9;

/** How much of a request is tool output, and whether the old part of it is masked and in the archive. */
export function checkToolOutput(
  { usage, stale, shortened, largest }: TokenBreakdown,
  { trigger = 0 }: Budget,
): HealthItem {
  const resultShare = usage.total === 0 ? 0 : usage.byKind.toolResult / usage.total;
  const isUnmasked = resultShare >= muchToolOutput && shortened.messages === 0;
  const isStale = stale.tokens > usage.total * muchStale;
  const isGood = usage.total < trigger * smallView || (!isUnmasked && !isStale);
  return {
    id: 'toolOutput',
    state: isGood ? 'good' : 'warning',
    finding: sentence('toolOutput.share', {
      resultShare,
      total: usage.total,
      stale: stale.messages,
      staleTokens: stale.tokens,
      shortened: shortened.messages,
    }),
    ...(isGood ? {} : { advice: sentence('toolOutput.advice'), setting: 'contextBudget.strategy' }),
    messageIds: largest.filter(({ kind }) => kind === 'toolResult').map(({ id }) => id),
  };
}

/** Whether long results were shortened when they came in. */
export function checkIngest(
  messages: readonly Message[],
  view: readonly Message[],
  usages: readonly Usage[],
): HealthItem {
  const shortened = messages.filter(({ original }) => original !== undefined);
  const long = view.flatMap((message, index) =>
    message.role === 'tool' && (usages[index]?.total ?? 0) > longResult ? [index] : [],
  );
  if (long.length === 0) {
    return {
      id: 'ingest',
      state: 'good',
      finding:
        shortened.length === 0
          ? sentence('ingest.none')
          : sentence('ingest.shortened', { count: shortened.length }),
      messageIds: shortened.map(({ id }) => id),
    };
  }
  return {
    id: 'ingest',
    state: 'warning',
    finding: sentence('ingest.long', {
      limit: longResult,
      count: long.length,
      tokens: long.reduce((total, index) => total + (usages[index]?.total ?? 0), 0),
      shortened: shortened.length,
    }),
    advice: sentence('ingest.advice'),
    messageIds: long.map((index) => view[index]!.id),
  };
}

/** Whether compactions start where the guide would have them. */
export function checkTrigger(
  { window, trigger, reservedOutput, thresholds }: Budget,
  mode: CompactionMode,
): HealthItem {
  const id = 'trigger';
  if (mode === 'off') {
    const advice = sentence('trigger.modeAdvice');
    return { id, state: 'bad', finding: sentence('trigger.off'), advice, setting: 'contextBudget.mode' };
  }
  if (window === undefined || trigger === undefined) {
    const advice = sentence('trigger.windowAdvice');
    return {
      id,
      state: 'unknown',
      finding: sentence('trigger.unknown'),
      advice,
      setting: 'contextBudget.window',
    };
  }
  const triggerShare = trigger / window;
  const setting =
    trigger === thresholds.tokens
      ? 'contextBudget.triggerTokens'
      : trigger === thresholds.ratio
        ? 'contextBudget.triggerRatio'
        : 'contextBudget.reservedOutput';
  const advice = sentence('trigger.advice');
  if (triggerShare < earliestTrigger) {
    const finding = sentence('trigger.tooEarly', { triggerShare });
    return { id, state: 'warning', finding, advice, setting };
  }
  if (triggerShare > latestTrigger) {
    return { id, state: 'warning', finding: sentence('trigger.tooLate', { triggerShare }), advice, setting };
  }
  const finding =
    triggerShare <= guideTrigger
      ? sentence('trigger.sensible', { triggerShare })
      : sentence('trigger.late', { triggerShare, reserved: reservedOutput });
  return { id, state: 'good', finding, setting };
}

/** Whether a part of the window takes more than it is meant to. */
export function checkAllocation(usage: Usage, { window }: Budget): HealthItem {
  if (window === undefined) {
    return { id: 'allocation', state: 'unknown', finding: sentence('allocation.unknown') };
  }
  const used = new Map<AllocationGroup, { tokens: number; meant: number }>();
  for (const kind of kinds) {
    const group = groupOf(kind);
    const tokens = (used.get(group)?.tokens ?? 0) + usage.byKind[kind];
    used.set(group, { tokens, meant: shareOf(kind) / 100 });
  }
  const over = [...used]
    .map(([group, { tokens, meant }]) => ({ group, used: tokens / window, meant }))
    .filter(({ used, meant }) => used > meant)
    .sort((one, other) => other.used - other.meant - (one.used - one.meant));
  const [largest] = over;
  if (largest === undefined) {
    return { id: 'allocation', state: 'good', finding: sentence('allocation.within') };
  }
  // A conversation that grows over its share is what compactions are for.
  const fixed = over.find(({ group }) => group === 'system' || group === 'tools')?.group;
  return {
    id: 'allocation',
    state: fixed === undefined ? 'good' : 'warning',
    finding: sentence('allocation.over', {
      groups: over.map(({ group }) => group).join(', '),
      largest: largest.group,
      usedShare: largest.used,
      meantShare: largest.meant,
    }),
    ...(fixed === undefined
      ? {}
      : { advice: sentence(fixed === 'tools' ? 'allocation.toolsAdvice' : 'allocation.systemAdvice') }),
  };
}

/** What no compaction touches, and whether it leaves room for one to help. */
export function checkProtected({ byReason, total }: ProtectedTokens, { target }: Budget): HealthItem {
  const id = 'protected';
  const setting = 'contextBudget.protectFirst';
  if (target === undefined || total <= target / 2) {
    return { id, state: 'good', finding: sentence('protected.named', { ...byReason, total }), setting };
  }
  return {
    id,
    state: total < target ? 'warning' : 'bad',
    finding: sentence('protected.tight', {
      ...byReason,
      total,
      limit: target,
      floorShare: total / target,
    }),
    advice: sentence('protected.advice'),
    setting,
  };
}
