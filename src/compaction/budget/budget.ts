import type { Kind, Message } from '../messages/message.ts';
import type { Cost, Trigger } from '../records/record.ts';
import type { Usage } from '../tokens/usage.ts';

/** From where on an automatic compaction starts. Undefined if a measure sets none off. */
interface Thresholds {
  /** Size that leaves no more than the room for the reply, in tokens. */
  readonly reserve?: number | undefined;
  /** Share of the window, in tokens. */
  readonly ratio?: number | undefined;
  /** Size that was set, in tokens. */
  readonly tokens?: number | undefined;
  /** Messages since the last attempt. */
  readonly messages?: number | undefined;
  /** Turns since the last attempt. */
  readonly turns?: number | undefined;
}

/** The division of the context window. All sizes in tokens. */
export interface Budget {
  /** Undefined if unknown: then nothing is a share of it. */
  readonly window?: number;
  /** Kept free for the reply. */
  readonly reservedOutput: number;
  readonly thresholds: Thresholds;
  /** At this size an automatic compaction starts: the lowest of the thresholds that are sizes. */
  readonly trigger?: number;
  /** The sizes between which a compaction that needs a model may run in the background. Undefined if none does. */
  readonly background?: BackgroundRange;
  /** Down to this size a compaction aims. Below the trigger, so that the next call does not set off another one. */
  readonly target?: number;
  /** The share that a compaction leaves of a size that was no trigger by itself. */
  readonly targetShare: number;
  /** Prices of the provider's prompt cache; the dearest known ones by default. */
  readonly cachePrice?: CachePrice | undefined;
  /** Tokens are counted with another tokenizer than the model's own. */
  readonly isApproximate?: boolean | undefined;
}

/** Sizes between which a compaction runs alongside the calls, without holding them up, in tokens. */
interface BackgroundRange {
  /** It starts here, below the trigger. */
  readonly from: number;
  /** From here on the next call waits for it. */
  readonly until: number;
}

export interface BudgetSettings {
  readonly window?: number | undefined;
  /** Undefined: an eighth of the window, at most 16,000 and what the model can write. */
  readonly reservedOutput?: number | undefined;
  /** Tokens that a reply of the model may take at most; undefined if unknown. */
  readonly maxOutput?: number | undefined;
  /** Share of the window, between 0 and 1. */
  readonly triggerRatio: number;
  /** Share of the window, between 0 and 1. */
  readonly targetRatio: number;
  /** Share of the window from which a compaction may run alongside the calls; none does if not given. */
  readonly backgroundRatio?: number | undefined;
  /** Undefined: 400,000 if the default share of the window is larger. */
  readonly triggerTokens?: number | undefined;
  readonly triggerMessages?: number | undefined;
  readonly triggerTurns?: number | undefined;
  readonly cachePrice?: CachePrice | undefined;
  readonly isApproximate?: boolean | undefined;
}

export const defaultTriggerRatio = 0.85;
export const defaultTargetRatio = 0.5;
export const defaultBackgroundRatio = 0.75;
/** Share of the window from which a call waits for the compaction that runs alongside it. */
const waitRatio = 0.95;
const largestDefaultReserve = 16_000;
const defaultReserveShare = 1 / 8;
/**
 * Tokens at which a compaction starts if nothing else is set: models answer worse from a few hundred thousand tokens on,
 * and each call pays for all of them.
 */
const largestDefaultTrigger = 400_000;
/** A reserve of half the window or more would have every call compact; a small local model is not that rare. */
const largestReserveShare = 1 / 2;

export function createBudget(settings: BudgetSettings): Budget {
  const { triggerMessages, triggerTurns, triggerRatio, targetRatio } = settings;
  const window = settings.window !== undefined && settings.window > 0 ? settings.window : undefined;
  const triggerTokens = settings.triggerTokens ?? defaultTriggerTokens(window, triggerRatio);
  const reservedOutput = reserveOf(settings, window);
  const thresholds: Thresholds = {
    ...(window === undefined
      ? {}
      : { reserve: window - reservedOutput, ratio: Math.max(1, Math.floor(window * triggerRatio)) }),
    tokens: triggerTokens,
    messages: triggerMessages,
    turns: triggerTurns,
  };
  // As far below a trigger as the ratios are apart, whatever set the trigger.
  const targetShare = Math.min(1, targetRatio / triggerRatio);
  const trigger = least([thresholds.reserve, thresholds.ratio, triggerTokens]);
  const target = least([
    window === undefined ? undefined : Math.floor(window * targetRatio),
    triggerTokens === undefined ? undefined : Math.floor(triggerTokens * targetShare),
    trigger === undefined ? undefined : trigger - 1,
  ]);
  const background = backgroundOf(settings, window, trigger, target);
  return {
    ...(window === undefined ? {} : { window }),
    reservedOutput,
    thresholds,
    ...(trigger === undefined ? {} : { trigger: Math.max(1, trigger) }),
    ...(background === undefined ? {} : { background }),
    ...(target === undefined ? {} : { target: Math.max(1, target) }),
    targetShare,
    cachePrice: settings.cachePrice,
    isApproximate: settings.isApproximate,
  };
}

/** @returns undefined if the window is small, or the user chose a share of it */
function defaultTriggerTokens(window: number | undefined, triggerRatio: number): number | undefined {
  const isLarge = window !== undefined && window * triggerRatio > largestDefaultTrigger;
  return isLarge && triggerRatio === defaultTriggerRatio ? largestDefaultTrigger : undefined;
}

/**
 * The size that a compaction has to come down to, in tokens. Undefined if no window and no size was ever given.
 *
 * A hard requirement is about what the provider takes, not about a smaller preferred size. A count says
 * nothing of sizes, so it aims as far below the current size as any trigger does.
 */
export function targetFor({ source, requirement, tokens }: Trigger, budget: Budget): number | undefined {
  const { thresholds, target, targetShare } = budget;
  if (requirement === 'hard') return least([thresholds.reserve, thresholds.ratio]) ?? budget.trigger;
  const isCount = source === 'messages' || source === 'turns';
  return isCount ? least([target, Math.floor(tokens * targetShare)]) : target;
}

/**
 * Around a trigger that is lower than usual, both ends are as much lower. Nothing runs if nothing is to be gained.
 */
function backgroundOf(
  { backgroundRatio }: BudgetSettings,
  window: number | undefined,
  trigger: number | undefined,
  target = 0,
): BackgroundRange | undefined {
  if (backgroundRatio === undefined || trigger === undefined) return undefined;
  const at = (ratio: number, relative: number) =>
    Math.floor(Math.min((window ?? Infinity) * ratio, trigger * (relative / defaultTriggerRatio)));
  const from = Math.max(at(backgroundRatio, defaultBackgroundRatio), target + 1);
  return from < trigger ? { from, until: at(waitRatio, waitRatio) } : undefined;
}

function reserveOf({ reservedOutput, maxOutput }: BudgetSettings, window: number | undefined): number {
  const byDefault = least([largestDefaultReserve, maxOutput]) ?? largestDefaultReserve;
  if (window === undefined) return reservedOutput ?? byDefault;
  return Math.min(
    reservedOutput ?? Math.min(byDefault, Math.floor(window * defaultReserveShare)),
    Math.floor(window * largestReserveShare),
  );
}

function least(sizes: readonly (number | undefined)[]): number | undefined {
  const known = sizes.filter((size) => size !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

/** Prices of a provider's prompt cache, relative to uncached input. */
export interface CachePrice {
  /** Share of the input price paid for a token read from the cache. */
  readonly read: number;
  /** Multiple of the input price paid for a token written to the cache. */
  readonly write: number;
  /** Minutes without a request after which the cache forgets; undefined if not stated. */
  readonly ttlMinutes?: number | undefined;
}

/** Anthropic's five-minute cache, the dearest to rewrite: read 0.1, write 1.25. */
export const defaultCachePrice: CachePrice = { read: 0.1, write: 1.25 };

/**
 * Costs and savings of replacing one view by another under a prompt cache. Everything after the first message
 * that changed has to be written to the cache again; without the compaction it would have been read from it.
 */
export function costOf(
  before: readonly Message[],
  after: readonly Message[],
  usageAfter: readonly Usage[],
  savedPerCall: number,
  price: CachePrice = defaultCachePrice,
): Cost {
  let unchanged = 0;
  while (unchanged < after.length && after[unchanged] === before[unchanged]) unchanged++;
  const cacheMissTokens = usageAfter.slice(unchanged).reduce((total, usage) => total + usage.total, 0);
  const breakEvenCalls =
    savedPerCall <= 0
      ? null
      : Math.ceil((cacheMissTokens * (price.write - price.read)) / (savedPerCall * price.read));
  return { cacheMissTokens, savedPerCall, breakEvenCalls };
}

/** The groups that share a window. */
export type AllocationGroup = 'system' | 'tools' | 'conversation' | 'toolOutput' | 'documents';

/** The share of each group, in percent. */
type Allocation = Readonly<Record<AllocationGroup, number>>;

/** As guides to context engineering share a window out. */
export const defaultAllocation = {
  system: 10,
  tools: 15,
  conversation: 30,
  toolOutput: 35,
  documents: 10,
} as const satisfies Allocation;

const groups = {
  system: 'system',
  memory: 'system',
  tools: 'tools',
  user: 'conversation',
  assistant: 'conversation',
  reasoning: 'conversation',
  toolCall: 'conversation',
  summary: 'conversation',
  reminder: 'conversation',
  skill: 'documents',
  skillMetadata: 'documents',
  file: 'documents',
  toolResult: 'toolOutput',
} as const satisfies Readonly<Record<Kind, AllocationGroup>>;

/** The group that a kind of tokens counts to. Documents come as tool results, so no kind tells them apart. */
export function groupOf(kind: Kind): AllocationGroup {
  return groups[kind];
}

/**
 * Percent of the window that the group of a kind is meant to take. Tool output has the share of documents too,
 * because both are one kind.
 */
export function shareOf(kind: Kind, allocation: Allocation = defaultAllocation): number {
  const group = groupOf(kind);
  return group === 'toolOutput' ? allocation.toolOutput + allocation.documents : allocation[group];
}
