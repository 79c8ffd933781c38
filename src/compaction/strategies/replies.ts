import { blocksOf } from '../exchange.ts';
import { isTyped, type Message } from '../message.ts';

/**
 * Where the newest replies of the model begin, as an index. A reply is a text, or calls with all their results: in a
 * long tool loop each step is one. With fewer replies than asked for, where the view begins.
 */
export function startOfNewestReplies(view: readonly Message[], count: number): number {
  if (count <= 0) return view.length;
  const replies = blocksOf(view).filter(({ start }) => view[start]?.role === 'assistant');
  return replies[replies.length - count]?.start ?? 0;
}

/**
 * Ids of the messages whose reasoning a provider may want back: those of a tool loop that is still going on. With the
 * model's answer, or the person's next message, the loop is over and nothing of it is protected.
 */
export function openLoopReasoning(view: readonly Message[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { start, isExchange } of blocksOf(view).toReversed()) {
    const message = view[start];
    if (message === undefined || isTyped(message)) break;
    if (message.role === 'assistant' && !isExchange) break;
    const reasons = message.reasoning !== undefined || message.reasoningItems !== undefined;
    if (isExchange && reasons) ids.add(message.id);
  }
  return ids;
}
