import type { ModelFacts } from '../compaction/budget/model-table.ts';

/** Sources of the size of a window, strongest first. */
export type WindowSource = 'file' | 'settings' | 'compaction' | 'usage' | 'model';

/** Limits from an agent's settings and environment. Sizes are in tokens. */
export interface SetLimits {
  readonly window?: number | undefined;
  /** Maximum size at which the agent compacts automatically. It may compact earlier. */
  readonly compactsAt?: number | undefined;
  /** Maximum share of the window, 0 to 1, at which the agent compacts automatically. */
  readonly compactsAtShare?: number | undefined;
  /** True if the agent does not compact automatically. */
  readonly neverCompacts?: boolean | undefined;
}

/** Evidence of the limits of an agent's context. Sizes are in tokens. */
export interface LimitEvidence {
  /** Window stated in the session file. */
  readonly stated?: number | undefined;
  readonly set?: SetLimits | undefined;
  /** Model of the last reply, as named in the file. */
  readonly model?: string | undefined;
  /** Facts about that model from the table of models. */
  readonly facts?: Pick<ModelFacts, 'window' | 'otherWindow'> | undefined;
  /** Largest reported request of that model. */
  readonly largest: number;
  /** Context size at the last automatic compaction. */
  readonly automatic?: number | undefined;
}

/** Known limits of an agent's context. Sizes are in tokens. */
export interface ContextLimits {
  /** The smallest window that agrees with the evidence; undefined if unknown. */
  readonly window?: number;
  /** Larger windows that also agree with the evidence. */
  readonly alternatives: readonly number[];
  readonly source?: WindowSource;
  /** Size at which the agent compacts automatically. */
  readonly compactsAt?: number;
}

/** Ending of model names by which Claude Code and Cline mark the long window. */
const longWindow = /(?:\[1m\]|:1m)$/iu;

/**
 * Derives the limits from the evidence. Observations overrule assumptions, because no request is larger
 * than its window, and an agent compacts when its window fills up.
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
  // A size beyond the window is never reached.
  const reached = known.filter((size) => size < (window ?? Infinity));
  return reached.length === 0 ? undefined : Math.min(...reached);
}
