import type { ModelFacts } from '../compaction/budget/model-table.ts';
import type { BreakPlace } from './break-place.ts';
import type { DifferenceCause } from './request-difference.ts';
import { moneyOfRewriting } from './session-cost.ts';
import type { TimelineCall } from './session-timeline.ts';

/**
 * Cause of a cache break. If the conversation only grew, the provider's report can still show one. Another server may
 * have answered, or a part may have changed that the session does not contain:
 * - `expired`: the previous request was longer ago than cache entries live;
 * - `unexplained`: the provider read nothing from its cache, or only the beginning.
 */
type BreakCause = Exclude<DifferenceCause, { type: 'none' }> | UnexplainedCause;

interface UnexplainedCause {
  readonly type: 'expired' | 'unexplained';
}

/** A request that a prompt cache could not serve as far as the previous request. */
export interface CacheBreak {
  /** Number of the request, counted from 1. */
  readonly request: number;
  /** Id of the reply. */
  readonly messageId: string;
  readonly cause: BreakCause;
  readonly place?: BreakPlace;
  /** Tokens that had to be processed again, without those of new messages. */
  readonly tokens: number;
  /** Dollars for these tokens, beyond the price of cached tokens; absent if the price is unknown. */
  readonly dollars?: number;
}

type UnexplainedBreak = Pick<CacheBreak, 'tokens'> & { readonly cause: UnexplainedCause };

/** Breaks of one cause, the most expensive first. */
export interface BreakGroup {
  readonly breaks: readonly CacheBreak[];
  readonly tokens: number;
  /** Absent if the price of a break is unknown. */
  readonly dollars?: number;
}

/** Smaller losses than this share of the cached tokens, or this number, are no break. Providers cache in blocks. */
const leastShare = 0.1;
const leastTokens = 2_048;
/** Lifetime of a cache entry: the shortest of the large providers. */
const lifetime = 5 * 60_000;

/** Prices of models, and the model of calls that name none. */
interface Prices {
  readonly model?: string | undefined;
  readonly factsOf: (model: string) => ModelFacts;
}

/** Finds the cache breaks of a session, and groups those with the same cause; the most expensive group first. */
export function cacheBreaks(calls: readonly TimelineCall[], prices: Prices): readonly BreakGroup[] {
  const groups = new Map<string, CacheBreak[]>();
  const reports = new CacheReports();
  calls.forEach((call, index) => {
    const { messageId, broken, modelId } = call;
    const missed = reports.take(call);
    const found = broken ?? missed;
    if (found === undefined) return;
    const dollars = dollarsOf(found.tokens, modelId ?? prices.model, prices.factsOf);
    const one = {
      ...{ request: index + 1, messageId, ...found },
      ...(dollars === undefined ? {} : { dollars }),
    };
    const key = keyOf(one);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [one]);
    else group.push(one);
  });
  return [...groups.values()].map(groupOf).sort((one, other) => other.tokens - one.tokens);
}

/** Finds breaks in the reports of providers, which it takes request by request. */
class CacheReports {
  /** Models with a cache. For other models, missing cache reads say nothing. */
  private readonly caching = new Set<string | undefined>();
  /** Models whose providers report what is written to the cache. */
  private readonly writing = new Set<string | undefined>();
  /** Tokens in the cache after the last report; undefined if the beginning has changed since then. */
  private held: number | undefined;
  /** Time of the last report. Requests without one mostly failed. */
  private reportedAt = '';

  /** @returns the break that only the provider's numbers show */
  take({ reported, modelId, createdAt, broken }: TimelineCall): UnexplainedBreak | undefined {
    const expected = broken === undefined ? this.held : undefined;
    const { inputTokens = 0, cachedInputTokens: cached, cacheWriteTokens: written = 0 } = reported ?? {};
    if (cached === undefined) {
      this.held = expected;
      return undefined;
    }
    const isCaching = this.caching.has(modelId);
    if (cached > 0) this.caching.add(modelId);
    if (written > 0) this.writing.add(modelId);
    this.held = this.writing.has(modelId) ? cached + written : inputTokens;
    const isExpired = Date.parse(createdAt) - Date.parse(this.reportedAt) > lifetime;
    this.reportedAt = createdAt;
    const lost = Math.min(expected ?? 0, inputTokens) - cached;
    if (!isCaching || lost < leastTokens || lost < (expected ?? 0) * leastShare) return undefined;
    return { cause: { type: isExpired ? 'expired' : 'unexplained' }, tokens: lost };
  }
}

function dollarsOf(
  tokens: number,
  model: string | undefined,
  factsOf: Prices['factsOf'],
): number | undefined {
  const money = model === undefined ? undefined : moneyOfRewriting(tokens, factsOf(model));
  return money?.read === undefined ? undefined : money.written - money.read;
}

function groupOf(breaks: readonly CacheBreak[]): BreakGroup {
  const dollars = breaks.map((one) => one.dollars);
  const isKnown = (amount: number | undefined): amount is number => amount !== undefined;
  return {
    breaks: breaks.toSorted((one, other) => other.tokens - one.tokens),
    tokens: breaks.reduce((total, { tokens }) => total + tokens, 0),
    ...(dollars.every(isKnown) && {
      dollars: dollars.reduce((total, some) => total + some, 0),
    }),
  };
}

/** Breaks with the same key have the same cause. */
function keyOf({ cause, place }: CacheBreak): string {
  return JSON.stringify([withoutIds(cause), place && withoutTexts(place)]);
}

function withoutIds(cause: BreakCause): unknown {
  switch (cause.type) {
    case 'compaction':
      return [cause.type, cause.strategy];
    case 'model':
    case 'tools':
      return cause;
    default:
      return cause.type;
  }
}

function withoutTexts({ change: { form, section }, ...place }: BreakPlace): unknown {
  return place.type === 'tool' ? [place.tool, place.field, form] : [place.kind, place.source, section, form];
}
