import { type Block, blocksOf, turnsOf } from '../../messages/exchange.ts';
import { isPrompt, type Message } from '../../messages/message.ts';
import type { UsageMeter, Sizes } from '../../tokens/usage.ts';

/**
 * Ways to choose the newest tail of a view. Each function returns the index at which it begins, never inside
 * an exchange. An empty tail begins at the length of the view.
 */

/**
 * The newest messages within a token limit. The newest block is always included.
 *
 * @param sizes tokens of each message, by id
 */
export function tailByTokens(view: readonly Message[], tokens: number, sizes: Sizes): number {
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
 * The newest messages of user and model. Results stay with their call, and messages that programs wrote in
 * the user role do not count.
 *
 * @param preserved number of messages to keep
 */
export function tailByTalk(view: readonly Message[], preserved: number): number {
  let start = view.length;
  let found = 0;
  for (const block of [...blocksOf(view)].reverse()) {
    if (found >= preserved) break;
    const message = view[block.start];
    if (message === undefined) continue;
    start = block.start;
    if (message.role === 'assistant' || isPrompt(message)) found++;
  }
  return start;
}

export function tailByTurns(view: readonly Message[], count: number): number {
  if (count <= 0) return view.length;
  const turns = turnsOf(view);
  return turns[Math.max(0, turns.length - count)]?.start ?? view.length;
}

/**
 * The newest messages within a token limit. Starts with a turn, or with a block if the newest turn alone is larger.
 *
 * @param tokens most tokens that the newest messages may take
 * @param sizes tokens of each message, by id
 */
export function tailByTurnsWithin(view: readonly Message[], tokens: number, sizes: Sizes): number {
  let left = tokens;
  let start: number | undefined;
  for (const turn of turnsOf(view).toReversed()) {
    left -= view.slice(turn.start, turn.end).reduce((total, { id }) => total + (sizes.get(id) ?? 0), 0);
    if (left < 0) break;
    start = turn.start;
  }
  return start ?? tailByTokens(view, tokens, sizes);
}

/** The newest blocks within a number of messages. The newest block is always included. */
export function tailByMessages(view: readonly Message[], count: number): number {
  let start = view.length;
  for (const block of [...blocksOf(view)].reverse()) {
    if (view.length - block.start > count && start < view.length) break;
    start = block.start;
  }
  return start;
}

/**
 * The newest tool output within a token limit, in whole exchanges. Always includes the newest exchange,
 * because the model may not have read it yet.
 */
export async function tailByOutput(
  view: readonly Message[],
  tokens: number,
  meter: UsageMeter,
): Promise<number> {
  const usages = await meter.measureEach(view);
  let left = tokens;
  let start = view.length;
  for (const block of [...blocksOf(view)].reverse()) {
    if (!block.isExchange) continue;
    const size = usages.slice(block.start + 1, block.end).reduce((total, usage) => total + usage.total, 0);
    if (size > left && start < view.length) break;
    left -= size;
    start = block.start;
  }
  return start;
}

/** The newest blocks that fit into a room in addition to protected messages. */
interface TailInRoom {
  /** Index in the view of the first block that fits; its length if none does. */
  readonly start: number;
  /** Remaining tokens of the room; negative if not even protected messages fit. */
  readonly left: number;
  /** The newest removable block that does not fit. */
  readonly next: Block | undefined;
}

/**
 * Goes back from the newest block as long as there is room. Protected messages take their room first,
 * wherever they are.
 *
 * @param room tokens for the messages of the view
 * @param sizes tokens of each message, by id
 */
export function tailInRoom(
  view: readonly Message[],
  protectedIds: ReadonlySet<string>,
  room: number,
  sizes: Sizes,
): TailInRoom {
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

/**
 * The newest replies of the model: text, or calls with all their results, so each step of a tool loop counts.
 * The whole view, if it has fewer replies than requested.
 */
export function tailByReplies(view: readonly Message[], count: number): number {
  if (count <= 0) return view.length;
  const replies = blocksOf(view).filter(({ start }) => view[start]?.role === 'assistant');
  return replies[replies.length - count]?.start ?? 0;
}
