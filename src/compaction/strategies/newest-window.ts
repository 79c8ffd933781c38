import { blocksOf, type Block } from '../exchange.ts';
import type { Message } from '../message.ts';

/** The newest blocks that fit into a room, beside what has to stay in any case. */
export interface NewestWindow {
  /** Index in the view of the first block that fits; its length where none does. */
  readonly start: number;
  /** Tokens of the room that are left; below nothing where not even what has to stay fits. */
  readonly left: number;
  /** The newest block that does not fit and may leave. */
  readonly next: Block | undefined;
}

/**
 * Goes back from the newest block as long as there is room. What has to stay takes its room first, wherever it stands.
 *
 * @param room tokens for the messages of the view
 * @param sizes tokens of each message, by id
 */
export function newestWindow(
  view: readonly Message[],
  protectedIds: ReadonlySet<string>,
  room: number,
  sizes: ReadonlyMap<string, number>,
): NewestWindow {
  const blocks = blocksOf(view).map((block) => {
    const messages = view.slice(block.start, block.end);
    const tokens = messages.reduce((total, { id }) => total + (sizes.get(id) ?? 0), 0);
    return { block, tokens, stays: messages.some(({ id }) => protectedIds.has(id)) };
  });
  let left = room - blocks.reduce((total, { tokens, stays }) => total + (stays ? tokens : 0), 0);
  let start = view.length;
  for (const { block, tokens, stays } of blocks.reverse()) {
    if (!stays && tokens > left) return { start, left, next: block };
    if (!stays) left -= tokens;
    start = block.start;
  }
  return { start, left, next: undefined };
}
