import type { BudgetSettings } from '../../compaction/budget/budget.ts';
import type { CompactionSettings } from '../../compaction/service-ports.ts';
import type { Settings } from './read-settings.ts';

/** The part of the settings that compactions follow. */
export function compactionSettings(settings: Settings, budget: BudgetSettings): CompactionSettings {
  const { strategy, options, mode, protectFirst, focus, triggerPlanStep, spendingLimit } = settings;
  return {
    strategy,
    options,
    mode,
    protectFirst,
    focus,
    spendingLimit,
    afterPlanStep: triggerPlanStep,
    budget,
  };
}
