import { anchoredOptions } from './anchored-summary.ts';
import { maskingOptions } from './observation-masking.ts';
import type { OptionsOf } from './options.ts';
import type { StrategyInput } from './strategy.ts';

export const ladderOptions = {
  protectTokens: maskingOptions.protectTokens,
  preview: maskingOptions.preview,
  exemptTools: maskingOptions.exemptTools,
  early: maskingOptions.early,
  ...anchoredOptions,
} as const;

export type LadderInput = StrategyInput<OptionsOf<typeof ladderOptions>>;
