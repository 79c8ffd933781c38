import { type AllocationGroup, type Budget, groupOf, shareOf } from '../../compaction/budget/budget.ts';
import { kinds, type Message } from '../../compaction/messages/message.ts';
import type { CompactionForecast } from '../../compaction/service/compaction-forecast.ts';
import type { CompactionMode } from '../../compaction/service/service-ports.ts';
import type { Usage } from '../../compaction/tokens/usage.ts';
import { protectionReasons, type ProtectedTokens } from '../protected-tokens.ts';
import { countSentences, type HealthItem } from './health-item.ts';
import { insightsSentences } from '../../language/english/insights-english.ts';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import type { TokenBreakdown } from '../token-breakdown.ts';

/** Minimum share of tool output at which the guide recommends masking it first. */
const muchToolOutput = 0.5;
/** Maximum share of outdated results in a request. */
const muchStale = 0.1;
/** Share of the trigger. A smaller view need not free any space. */
const smallView = 0.5;
/** Size in tokens above which a result is shortened on arrival. */
const longResult = 6_000;
/** Shares of the window between which a compaction should start. */
const earliestTrigger = 0.7;
const latestTrigger = 0.9;

/** Sentences about the parts of the window. */
const groupSentences = {
  system: 'allocationSystem',
  tools: 'allocationTools',
  conversation: 'allocationConversation',
  toolOutput: 'allocationToolOutput',
  documents: 'allocationDocuments',
} as const satisfies Readonly<Record<AllocationGroup, string>>;

const reasonNames = {
  notInFile: 'protectedNotInFile',
  tools: 'protectedTools',
  system: 'protectedSystem',
  pins: 'protectedPins',
  memory: 'protectedMemory',
  newestRequest: 'protectedNewestRequest',
  firstRequest: 'protectedFirstRequest',
} as const;

/** Checks the share of tool output in a request, and that old output is masked and archived. */
export function checkToolOutput(
  { usage, stale, shortened, largest }: TokenBreakdown,
  { trigger = 0 }: Budget,
): HealthItem {
  const resultShare = usage.total === 0 ? 0 : usage.byKind.toolResult / usage.total;
  const isUnmasked = resultShare >= muchToolOutput && shortened.messages === 0;
  const isStale = stale.tokens > usage.total * muchStale;
  const isGood = usage.total < trigger * smallView || (!isUnmasked && !isStale);
  const parts = [
    ...(stale.messages === 0
      ? []
      : [insightsSentences.say('staleResults', { count: stale.messages, tokens: stale.tokens })]),
    ...countSentences({ shortenedResults: shortened.messages }),
  ];
  const advice = insightsSentences.say('toolOutputAdvice', {
    ladder: strategyTitle('ladder'),
    masking: strategyTitle('observation-masking'),
  });
  return {
    id: 'toolOutput',
    state: isGood ? 'good' : 'warning',
    finding:
      parts.length === 0
        ? insightsSentences.say('toolOutputShare', { resultShare })
        : insightsSentences.say('toolOutputParts', { resultShare, parts }),
    ...(isGood ? {} : { advice, setting: 'contextBudget.strategy' }),
    messageIds: largest.filter(({ kind }) => kind === 'toolResult').map(({ id }) => id),
  };
}

/** Checks that long results were shortened on arrival. */
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
          ? insightsSentences.say('ingestNone')
          : insightsSentences.say('ingestShortened', { count: shortened.length }),
      messageIds: shortened.map(({ id }) => id),
    };
  }
  return {
    id: 'ingest',
    state: 'warning',
    finding: insightsSentences.say('ingestLong', {
      limit: longResult,
      count: long.length,
      tokens: long.reduce((total, index) => total + (usages[index]?.total ?? 0), 0),
    }),
    advice: insightsSentences.say('ingestAdvice'),
    messageIds: long.map((index) => view[index]!.id),
  };
}

/**
 * Checks that compaction starts at a sensible size.
 *
 * @param outlook forecast with the actual sizes, if the session compacts automatically
 */
export function checkTrigger(
  budget: Budget,
  mode: CompactionMode,
  { trigger = budget.trigger, background }: Pick<CompactionForecast, 'trigger' | 'background'> = {},
): HealthItem {
  const id = 'trigger';
  const { window, thresholds } = budget;
  if (mode === 'off') {
    const advice = insightsSentences.say('modeAdvice');
    return {
      id,
      state: 'bad',
      finding: insightsSentences.say('triggerOff'),
      advice,
      setting: 'contextBudget.mode',
    };
  }
  if (window === undefined || trigger === undefined) {
    const advice = insightsSentences.say('windowAdvice');
    return {
      id,
      state: 'unknown',
      finding: insightsSentences.say('triggerUnknown'),
      advice,
      setting: 'contextBudget.window',
    };
  }
  const triggerShare = trigger / window;
  const starts = {
    starts:
      background === undefined
        ? insightsSentences.say('triggerAt', { trigger, triggerShare })
        : insightsSentences.say('triggerBegins', { background, trigger, triggerShare }),
  };
  const setting =
    budget.trigger !== thresholds.tokens && budget.trigger === thresholds.ratio
      ? 'contextBudget.triggerRatio'
      : 'contextBudget.triggers';
  const advice = insightsSentences.say('triggerAdvice');
  if (triggerShare < earliestTrigger) {
    const finding = insightsSentences.say('triggerTooEarly', starts);
    return { id, state: 'warning', finding, advice, setting };
  }
  if (triggerShare > latestTrigger) {
    return {
      id,
      state: 'warning',
      finding: insightsSentences.say('triggerTooLate', starts),
      advice,
      setting,
    };
  }
  const finding = insightsSentences.say('triggerSensible', starts);
  return { id, state: 'good', finding, setting };
}

/**
 * Checks that every part of the window is within its share.
 *
 * @param hasServers true if tools come from servers, which can be turned off
 */
export function checkAllocation(usage: Usage, { window }: Budget, hasServers: boolean): HealthItem {
  if (window === undefined) {
    return { id: 'allocation', state: 'unknown', finding: insightsSentences.say('allocationUnknown') };
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
    return { id: 'allocation', state: 'good', finding: insightsSentences.say('allocationWithin') };
  }
  // Only fixed content needs advice, because compactions shorten a conversation that exceeds its share.
  const fixed = over.find(({ group }) => group === 'system' || (group === 'tools' && hasServers));
  const { group, used: usedShare } = fixed ?? largest;
  return {
    id: 'allocation',
    state: fixed === undefined ? 'good' : 'warning',
    finding: insightsSentences.say(groupSentences[group], { usedShare }),
    ...(fixed === undefined
      ? {}
      : {
          advice: insightsSentences.say(
            group === 'tools' ? 'allocationToolsAdvice' : 'allocationSystemAdvice',
          ),
        }),
  };
}

/** Checks that protected content leaves enough space for a compaction. */
export function checkProtected({ byReason, total }: ProtectedTokens, { target }: Budget): HealthItem {
  const id = 'protected';
  const setting = 'contextBudget.protectFirst';
  const parts = protectionReasons.flatMap((reason) =>
    byReason[reason] === 0
      ? []
      : [
          insightsSentences.say('protectedPart', {
            name: insightsSentences.say(reasonNames[reason]),
            tokens: byReason[reason],
          }),
        ],
  );
  if (target === undefined || total <= target / 2) {
    return {
      id,
      state: 'good',
      finding:
        total === 0
          ? insightsSentences.say('protectedNone')
          : insightsSentences.say('protectedNamed', { total, parts }),
      setting,
    };
  }
  return {
    id,
    state: total < target ? 'warning' : 'bad',
    finding: insightsSentences.say('protectedTight', {
      total,
      limit: target,
      floorShare: total / target,
      parts,
    }),
    advice: insightsSentences.say('protectedAdvice'),
    setting,
  };
}
