import { isStrategyId, strategyIds, strategyOf } from '../compaction/strategies/index.ts';
import type { Strategy } from '../compaction/strategies/contract/strategy.ts';
import { UsageError } from './command.ts';

/** @throws {UsageError} where there is no strategy of that id */
export function strategyNamed(id: string): Strategy {
  if (!isStrategyId(id)) {
    throw new UsageError(`There is no strategy "${id}"; there are ${strategyIds.join(', ')}.`);
  }
  return strategyOf(id);
}

/**
 * @param list ids with commas between them; the whole catalogue where not given
 * @throws {UsageError} where there is no strategy of one of the ids
 */
export function strategiesNamed(list: string | undefined): readonly Strategy[] {
  return (list?.split(',') ?? strategyIds).map((id) => strategyNamed(id.trim()));
}
