import { blocksOf, interruptedResultText } from '../exchange.ts';
import { isSystem, isTyped, type Message } from '../message.ts';
import type { StrategyInput } from './strategy.ts';

/**
 * Ids of what stays where a strategy rewrites the whole history: what is protected, what was asked first, and calls
 * at the end that were never answered.
 *
 * @param parts the view, in as many parts as have a first request of their own
 * @param sizes tokens of each message, by id
 */
export function stayingIds(
  input: Pick<StrategyInput<unknown>, 'view' | 'protectedIds' | 'trigger' | 'target' | 'toolTokens'>,
  parts: readonly (readonly Message[])[],
  sizes: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const { view, protectedIds, trigger, target, toolTokens } = input;
  const staying = new Set([...protectedIds, ...openCalls(view)]);
  const isKnown = view.some(isTyped);
  const first = parts.flatMap((part) => part.find((message) => isRequest(message, isKnown))?.id ?? []);
  const wanted = new Set([...staying, ...first]);
  const tokens = [...wanted].reduce((total, id) => total + (sizes.get(id) ?? 0), toolTokens);
  const isTooMuch = trigger.requirement === 'hard' && target !== undefined && tokens >= target;
  return isTooMuch ? staying : wanted;
}

/** Splits a view where system messages begin; what stands before the first belongs to the first part. */
export function systemBlocks(view: readonly Message[]): readonly (readonly Message[])[] {
  const starts = view.flatMap((message, index) => (isSystem(message) ? [index] : [])).slice(1);
  return [0, ...starts].map((start, index) => view.slice(start, starts[index]));
}

/** Where nobody is known to have typed anything, every message in the user's name counts. */
function isRequest(message: Message, isTypedKnown: boolean): boolean {
  return isTypedKnown ? isTyped(message) : message.role === 'user' && message.kind === undefined;
}

/** Ids of the last exchange, where it still waits for a result. */
function openCalls(view: readonly Message[]): readonly string[] {
  const last = blocksOf(view).at(-1);
  if (last?.isExchange !== true) return [];
  const messages = view.slice(last.start, last.end);
  return messages.some(({ content }) => content === interruptedResultText)
    ? messages.map(({ id }) => id)
    : [];
}
