import { blocksOf } from './exchange.ts';
import { isSystem, isTyped, type Message } from './message.ts';

/**
 * Ids of the messages that a compaction has to keep byte for byte: system messages, memory, pins, the newest
 * message a person typed and, where asked, the first one. Where nobody is known to have typed anything, the newest
 * and first user messages take their place, because a request that lost its question is worth nothing.
 */
export function protectedIds(
  view: readonly Message[],
  options: { readonly pins: ReadonlySet<string>; readonly protectFirst: boolean },
): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const message of view) {
    if (isSystem(message) || message.kind === 'memory' || options.pins.has(message.id)) ids.add(message.id);
  }
  const typed = view.filter(isTyped);
  const asking =
    typed.length > 0
      ? typed
      : view.filter((message) => message.role === 'user' && message.kind === undefined);
  const newest = asking.at(-1);
  const first = asking[0];
  if (newest !== undefined) ids.add(newest.id);
  if (options.protectFirst && first !== undefined) ids.add(first.id);
  return ids;
}

/** Messages of the blocks that hold no protected message: only these may leave, and only with their whole block. */
export function removableMessages(
  view: readonly Message[],
  isProtected: ReadonlySet<string>,
): readonly Message[] {
  return blocksOf(view).flatMap(({ start, end }) => {
    const messages = view.slice(start, end);
    return messages.some((message) => isProtected.has(message.id)) ? [] : messages;
  });
}
