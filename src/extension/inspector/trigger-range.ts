import type { Budget } from '../../compaction/budget/budget.ts';
import type { TriggerRange } from '../../protocol/inspector-budget.ts';
import { settings } from '../settings/configuration.ts';

const { minimum, maximum } = settings.triggerRatio;

/**
 * Where a person can put the trigger: above the target, and below the room for the reply. Undefined where no window is
 * known, because then nothing is a share of it.
 */
export function triggerRange({ window, target = 0, thresholds }: Budget): TriggerRange | undefined {
  const { reserve, ratio, tokens = Infinity } = thresholds;
  if (window === undefined || reserve === undefined || ratio === undefined) return undefined;
  const aboveTarget = (Math.floor((target / window) * 100) + 1) / 100;
  const belowRoom = Math.floor((Math.min(reserve, tokens) / window) * 100) / 100;
  const least = Math.max(minimum, aboveTarget);
  return {
    ratio: Math.round((ratio / window) * 1_000) / 1_000,
    least,
    most: Math.max(least, Math.min(maximum, belowRoom)),
    leastReason: aboveTarget > minimum ? 'target' : 'setting',
    mostReason: belowRoom >= maximum ? 'setting' : tokens < reserve ? 'tokens' : 'reserve',
  };
}
