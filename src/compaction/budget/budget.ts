import type { Kind, Message } from '../messages/message.ts';
import type { Cost, Trigger } from '../records/record.ts';
import type { Usage } from '../tokens/usage.ts';

interface Thresholds {
  /** Size, in tokens, that leaves exactly the room reserved for the reply. */
  readonly reserve?: number | undefined;
  readonly ratio?: number | undefined;
  readonly tokens?: number | undefined;
  readonly messages?: number | undefined;
  readonly turns?: number | undefined;
}

export interface Budget {
  /** Window of the model, in tokens. If it is unknown, no limit can be a share of the window. */
  readonly window?: number;
  readonly reservedOutput: number;
  readonly thresholds: Thresholds;
  /** Size at which an automatic compaction starts: the lowest of the size thresholds. */
  readonly trigger?: number;
  /** Sizes between which a compaction with a model may run in the background; undefined if none may. */
  readonly background?: BackgroundRange;
  /** Size that a compaction aims at: below the trigger, so that the next call does not start another compaction. */
  readonly target?: number;
  /** Share of the current size that remains if no size triggered the compaction. */
  readonly targetShare: number;
  /** Prices of the provider's prompt cache; by default, the highest known prices. */
  readonly cachePrice?: CachePrice | undefined;
  /** True if tokens are counted with a tokenizer other than the model's own. */
  readonly isApproximate?: boolean | undefined;
}

/** Sizes between which a compaction runs in the background without delaying calls, in tokens. */
interface BackgroundRange {
  readonly from: number;
  readonly until: number;
}

export interface BudgetSettings {
  readonly window?: number | undefined;
  /** Default: an eighth of the window, at most 16,000 and the model's longest reply. */
  readonly reservedOutput?: number | undefined;
  /** Maximum number of tokens in the model's reply; undefined if unknown. */
  readonly maxOutput?: number | undefined;
  readonly triggerRatio: number;
  readonly targetRatio: number;
  /** Share of the window from which a compaction may run in the background; undefined for never. */
  readonly backgroundRatio?: number | undefined;
  /** Default: 400,000 if the default share of the window is larger. */
  readonly triggerTokens?: number | undefined;
  readonly triggerMessages?: number | undefined;
  readonly triggerTurns?: number | undefined;
  readonly cachePrice?: CachePrice | undefined;
  readonly isApproximate?: boolean | undefined;
}

export const defaultTriggerRatio = 0.85;
export const defaultTargetRatio = 0.5;
export const defaultBackgroundRatio = 0.75;
/** Share of the window from which a call waits for the background compaction. */
const waitRatio = 0.95;
const largestDefaultReserve = 16_000;
const defaultReserveShare = 1 / 8;
/** Default trigger for large windows, in tokens. Models answer worse beyond a few hundred thousand. */
const largestDefaultTrigger = 400_000;
/** Limits the reserve of small windows. With a larger reserve, every call would compact. */
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
  // The target keeps its ratio to the trigger in the settings, even if another limit set the trigger.
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

/** @returns undefined if the window is small, or if the user chose a share of the window */
function defaultTriggerTokens(window: number | undefined, triggerRatio: number): number | undefined {
  const isLarge = window !== undefined && window * triggerRatio > largestDefaultTrigger;
  return isLarge && triggerRatio === defaultTriggerRatio ? largestDefaultTrigger : undefined;
}

/**
 * Returns the size that a compaction has to reach, in tokens; undefined without limits. For a hard
 * requirement, the limits of the window decide.
 */
export function targetFor({ source, requirement, tokens }: Trigger, budget: Budget): number | undefined {
  const { thresholds, target, targetShare } = budget;
  if (requirement === 'hard') return least([thresholds.reserve, thresholds.ratio]) ?? budget.trigger;
  const isCount = source === 'messages' || source === 'turns';
  return isCount ? least([target, Math.floor(tokens * targetShare)]) : target;
}

/** Returns the range for background compactions; undefined if it would not begin below the trigger. */
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
  readonly read: number;
  /** Multiple of the input price paid for a token written to the cache. */
  readonly write: number;
}

/** Anthropic's five-minute cache, the most expensive to rewrite: read 0.1, write 1.25. */
export const defaultCachePrice: CachePrice = { read: 0.1, write: 1.25 };

/** Returns costs and savings of a new view. The prompt cache is lost from the first changed message on. */
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

export type AllocationGroup = 'system' | 'tools' | 'conversation' | 'toolOutput' | 'documents';

type Allocation = Readonly<Record<AllocationGroup, number>>;

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

/** Returns the group of a kind. Documents arrive as tool results and have no kind of their own. */
export function groupOf(kind: Kind): AllocationGroup {
  return groups[kind];
}

/** Returns the intended share of the window for a kind, in percent. Tool output includes documents. */
export function shareOf(kind: Kind, allocation: Allocation = defaultAllocation): number {
  const group = groupOf(kind);
  return group === 'toolOutput' ? allocation.toolOutput + allocation.documents : allocation[group];
}
