import type { CompactionSettings } from './service-ports.ts';
import type { Strategy } from './strategies/contract/strategy.ts';
import { toolResultHiding } from './strategies/tool-result-hiding.ts';

/** What a compaction does differently from the settings. */
export interface Choice {
  readonly strategy?: Strategy | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly focus?: string | undefined;
}

/** What stands in for a strategy while models are left alone: its own part without one, or hiding. */
export function restingChoice({
  strategy,
  options,
}: Pick<CompactionSettings, 'strategy' | 'options'>): Choice {
  const { withoutModel } = strategy;
  return withoutModel === undefined
    ? { strategy: toolResultHiding }
    : { strategy, options: { ...options, ...withoutModel } };
}
