import { blocksOf } from '../exchange.ts';
import type { Message } from '../message.ts';

/**
 * Where the newest messages of so many tokens begin, as an index; never inside an exchange. The newest block counts
 * in any case.
 *
 * @param sizes tokens of each message, by id
 */
export function startOfNewestTokens(
  view: readonly Message[],
  tokens: number,
  sizes: ReadonlyMap<string, number>,
): number {
  let left = tokens;
  let start = view.length;
  for (const block of [...blocksOf(view)].reverse()) {
    const size = view
      .slice(block.start, block.end)
      .reduce((total, { id }) => total + (sizes.get(id) ?? 0), 0);
    if (size > left && start < view.length) break;
    left -= size;
    start = block.start;
  }
  return start;
}
