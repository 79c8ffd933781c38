import type { Message } from './message.ts';
import { rememberedList } from './remembered.ts';

/** Message id → its place in the messages. Made once for a view, which many steps of a compaction look into. */
export const positionsIn: (messages: readonly Message[]) => ReadonlyMap<string, number> = rememberedList(
  (messages) => new Map(messages.map(({ id }, index) => [id, index])),
);

/** Finds messages by their ids. To be made once, not for each id: it compares the messages with those it knows. */
export function messagesById(messages: readonly Message[]): (id: string) => Message | undefined {
  const positions = positionsIn(messages);
  return (id) => {
    const position = positions.get(id);
    return position === undefined ? undefined : messages[position];
  };
}

/** A message of a later view that is not the one of the earlier view. */
export interface ChangedMessage {
  readonly message: Message;
  /** The message of its id in the earlier view, and its place there. Undefined if it is new. */
  readonly original: Message | undefined;
  readonly position: number | undefined;
}

/**
 * The messages of a later view that are not those of an earlier one, in their order. Most are the same and in the same
 * order, so that few have to be looked up.
 */
export function changedIn(before: readonly Message[], after: readonly Message[]): readonly ChangedMessage[] {
  const positions = positionsIn(before);
  const changed: ChangedMessage[] = [];
  let next = 0;
  for (const message of after) {
    if (before[next] === message) {
      next++;
      continue;
    }
    const position = positions.get(message.id);
    changed.push({ message, original: position === undefined ? undefined : before[position], position });
    if (position !== undefined) next = position + 1;
  }
  return changed;
}
