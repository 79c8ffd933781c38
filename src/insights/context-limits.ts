import type { ModelFacts } from '../compaction/budget/model-table.ts';

/** Sources of the size of a window, strongest first. */
export type WindowSource = 'file' | 'settings' | 'compaction' | 'usage' | 'model';

/** Limits that an agent's settings and environment give it. Sizes in tokens. */
export interface SetLimits {
  readonly window?: number | undefined;
  /** The agent compacts by itself at this size at the latest. */
  readonly compactsAt?: number | undefined;
  /** It compacts by itself at this share of its window at the latest, 0 to 1. */
  readonly compactsAtShare?: number | undefined;
  /** It does not compact by itself. */
  readonly neverCompacts?: boolean | undefined;
}

/** Knowledge of the limits of an agent's context. Sizes in tokens. */
export interface LimitEvidence {
  /** The window that the file of the session states. */
  readonly stated?: number | undefined;
  readonly set?: SetLimits | undefined;
  /** The model that replied last, as the file names it. */
  readonly model?: string | undefined;
  /** Facts of that model from the table. */
  readonly facts?: Pick<ModelFacts, 'window' | 'otherWindow'> | undefined;
  /** The largest request that was reported, of that model. */
  readonly largest: number;
  /** The size at which the agent compacted by itself last. */
  readonly automatic?: number | undefined;
}

/** The limits of an agent's context, as far as there is evidence. Sizes in tokens. */
export interface ContextLimits {
  /** The smallest one that fits; undefined if none is known. */
  readonly window?: number;
  /** Larger ones that fit as well. */
  readonly alternatives: readonly number[];
  readonly source?: WindowSource;
  /** The size at which the agent compacts by itself. */
  readonly compactsAt?: number;
}

/** The names that Claude Code and Cline give to a model with the long window. */
const longWindow = /(?:\[1m\]|:1m)$/iu;

/**
 * The limits that the evidence supports. What was seen refutes what is only supposed: no request is larger than its
 * window, and an agent compacts as its window fills.
 */
export function limitsOf(evidence: LimitEvidence): ContextLimits {
  const windows = windowsOf(evidence);
  const compactsAt = triggerOf(evidence, windows.window);
  return { ...windows, ...(compactsAt !== undefined && { compactsAt }) };
}

function windowsOf({
  stated,
  set,
  model,
  facts,
  largest,
  automatic,
}: LimitEvidence): Omit<ContextLimits, 'compactsAt'> {
  if (stated !== undefined) return { window: stated, alternatives: [], source: 'file' };
  const fits = (window: number | undefined): window is number =>
    window !== undefined && window >= Math.max(largest, automatic ?? 0);
  if (fits(set?.window)) return { window: set.window, alternatives: [], source: 'settings' };
  const { window: listed, otherWindow: other } = longWindow.test(model ?? '')
    ? { window: 1_000_000 }
    : { otherWindow: undefined, ...facts };
  const isAsked = listed !== undefined && other !== undefined && other > listed;
  const usual = [other, listed].filter((window) => window !== undefined && !(isAsked && window === other));
  const usualThatFit = usual.filter(fits);
  const [window, ...alternatives] = usualThatFit.length > 0 ? usualThatFit : [other].filter(fits);
  if (window === undefined) return { alternatives: [] };
  if (automatic !== undefined && alternatives.length > 0)
    return { window, alternatives: [], source: 'compaction' };
  const isRefuted = usualThatFit.length < usual.length;
  return { window, alternatives, source: isRefuted ? 'usage' : 'model' };
}

function triggerOf({ set = {}, automatic }: LimitEvidence, window: number | undefined): number | undefined {
  if (set.neverCompacts === true) return undefined;
  const { compactsAt, compactsAtShare } = set;
  const ofShare =
    compactsAtShare === undefined || window === undefined
      ? undefined
      : Math.floor(Math.min(window, compactsAt ?? window) * compactsAtShare);
  const known = [automatic, compactsAt, ofShare].filter((size) => size !== undefined);
  // A size that the window does not reach sets nothing off.
  const reached = known.filter((size) => size < (window ?? Infinity));
  return reached.length === 0 ? undefined : Math.min(...reached);
}
