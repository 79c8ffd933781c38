import type { Message } from '../message.ts';
import { turnsOf } from '../turn.ts';
import { startOfNewestTokens } from './newest.ts';

/**
 * Where the newest messages of so many tokens begin, as an index: with a turn, or, where the newest turn alone is
 * larger, with a block of it.
 *
 * @param tokens most tokens that the newest messages may take
 * @param sizes tokens of each message, by id
 */
export function startOfNewestWork(
  view: readonly Message[],
  tokens: number,
  sizes: ReadonlyMap<string, number>,
): number {
  let left = tokens;
  let start: number | undefined;
  for (const turn of turnsOf(view).toReversed()) {
    left -= view.slice(turn.start, turn.end).reduce((total, { id }) => total + (sizes.get(id) ?? 0), 0);
    if (left < 0) break;
    start = turn.start;
  }
  return start ?? startOfNewestTokens(view, tokens, sizes);
}
