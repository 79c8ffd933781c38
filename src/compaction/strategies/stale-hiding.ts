import { blocksOf } from '../exchange.ts';
import { referenceTo } from '../placeholder.ts';
import { supersededIds } from '../memory.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { resultsBefore } from './old-results.ts';
import { staleResults } from './stale-results.ts';
import type { StrategyInput } from './strategy.ts';
import type { WorkingView } from './working-view.ts';

/**
 * Hides the results that something newer in the view makes up for, and takes out the memory that something newer took
 * the place of.
 *
 * @returns tokens freed
 */
export async function hideStale(
  { protectedIds }: Pick<StrategyInput<unknown>, 'protectedIds'>,
  working: WorkingView,
  meter: UsageMeter,
): Promise<number> {
  const before = working.tokens;
  const superseded = [...supersededIds(working.messages)].filter((id) => !protectedIds.has(id));
  await working.drop(superseded, 'memory that newer memory took the place of');
  const view = working.messages;
  const stale = new Map(staleResults(view).map((found) => [found.id, found]));
  // The model may not have read the newest results yet.
  const newest = blocksOf(view).findLast((block) => block.isExchange);
  const old = await resultsBefore({ view, protectedIds }, newest?.start ?? view.length, meter);
  await working.rewrite(
    old.flatMap(({ result, tool, tokens }) => {
      const found = stale.get(result.id);
      if (found === undefined) return [];
      const note = `${found.reason === 'duplicate' ? 'The same as' : 'Superseded by'} message ${found.supersededBy}.`;
      return [
        {
          kind: 'hide' as const,
          id: result.id,
          content: referenceTo(result.id, tool, tokens, note),
          reason:
            found.reason === 'duplicate' ? 'the same result comes again' : 'superseded by a newer result',
        },
      ];
    }),
  );
  return before - working.tokens;
}
