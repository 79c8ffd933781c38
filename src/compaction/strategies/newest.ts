import { blocksOf } from '../exchange.ts';
import { isTyped, type Message } from '../message.ts';

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

/**
 * Where the newest messages begin. Only what a person or the model said counts: results come along with the call
 * they answer, and what the program wrote in the user's name does not use up the tail.
 */
export function startOfNewestTalk(view: readonly Message[], preserved: number): number {
  let start = view.length;
  let found = 0;
  for (const block of [...blocksOf(view)].reverse()) {
    if (found >= preserved) break;
    const message = view[block.start];
    if (message === undefined) continue;
    start = block.start;
    if (message.role === 'assistant' || isTyped(message)) found++;
  }
  return start;
}
