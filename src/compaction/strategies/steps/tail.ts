import { type Block, blocksOf, turnsOf } from '../../messages/exchange.ts';
import { isPrompt, type Message } from '../../messages/message.ts';
import { sizeIn, type Sizes, type UsageMeter } from '../../tokens/usage.ts';

/** Functions that choose the newest messages of a view. Each returns their start, never inside an exchange. */

/** Goes back from the end of a view, as long as `takes` accepts the blocks. */
export function tailWhile(
  blocks: readonly Pick<Block, 'start' | 'end'>[],
  view: readonly Message[],
  takes: (messages: readonly Message[], start: number, isNewest: boolean) => boolean,
): number {
  let tail = view.length;
  for (const { start, end } of blocks.toReversed()) {
    if (!takes(view.slice(start, end), start, tail === view.length)) break;
    tail = start;
  }
  return tail;
}

/** Chooses the newest messages within a token limit. The newest block is always included. */
export function tailByTokens(view: readonly Message[], tokens: number, sizes: Sizes): number {
  let left = tokens;
  return tailWhile(blocksOf(view), view, (messages, _start, isNewest) => {
    left -= sizeIn(messages, sizes);
    return left >= 0 || isNewest;
  });
}

/** Chooses the newest messages of user and model, with the results of their calls. */
export function tailByTalk(view: readonly Message[], preserved: number): number {
  let left = preserved;
  return tailWhile(blocksOf(view), view, ([message]) => {
    if (left <= 0) return false;
    if (message?.role === 'assistant' || (message !== undefined && isPrompt(message))) left--;
    return true;
  });
}

export function tailByTurns(view: readonly Message[], count: number): number {
  if (count <= 0) return view.length;
  const turns = turnsOf(view);
  return turns[Math.max(0, turns.length - count)]?.start ?? view.length;
}

/** Chooses the newest turns within a token limit, or blocks if the newest turn alone is larger. */
export function tailByTurnsWithin(view: readonly Message[], tokens: number, sizes: Sizes): number {
  let left = tokens;
  const start = tailWhile(turnsOf(view), view, (messages) => (left -= sizeIn(messages, sizes)) >= 0);
  return start < view.length ? start : tailByTokens(view, tokens, sizes);
}

/** Chooses the newest blocks with at most `count` messages in all. The newest block is always included. */
export function tailByMessages(view: readonly Message[], count: number): number {
  return tailWhile(blocksOf(view), view, (_messages, start, isNewest) => {
    return view.length - start <= count || isNewest;
  });
}

/** Chooses the newest tool output within a token limit, in whole exchanges. The newest may be unread, so it stays. */
export async function tailByOutput(
  view: readonly Message[],
  tokens: number,
  meter: UsageMeter,
): Promise<number> {
  const usages = await meter.measureEach(view);
  const exchanges = blocksOf(view).filter(({ isExchange }) => isExchange);
  let left = tokens;
  return tailWhile(exchanges, view, ({ length }, start, isNewest) => {
    const results = usages.slice(start + 1, start + length);
    left -= results.reduce((total, usage) => total + usage.total, 0);
    return left >= 0 || isNewest;
  });
}

/** Goes back from the newest block as long as there is room. Protected messages take their room first. */
export function tailInRoom(
  view: readonly Message[],
  protectedIds: ReadonlySet<string>,
  room: number,
  sizes: Sizes,
) {
  const blocks = blocksOf(view).map((block) => {
    const messages = view.slice(block.start, block.end);
    const tokens = sizeIn(messages, sizes);
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

/** Chooses the newest replies of the model: text, or calls with all results; the whole view if it has fewer replies. */
export function tailByReplies(view: readonly Message[], count: number): number {
  if (count <= 0) return view.length;
  const replies = blocksOf(view).filter(({ start }) => view[start]?.role === 'assistant');
  return replies[replies.length - count]?.start ?? 0;
}
