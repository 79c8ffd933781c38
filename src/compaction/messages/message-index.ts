import type { Message } from './message.ts';
import { memoisedByList } from './memoise.ts';

/** Maps message ids to their index. Cached for each view, because many steps of a compaction use it. */
export const indexById: (messages: readonly Message[]) => ReadonlyMap<string, number> = memoisedByList(
  (messages) => new Map(messages.map(({ id }, index) => [id, index])),
);

/** Creates a lookup of messages by id. Reuse it, because its creation compares all messages. */
export function messagesById(messages: readonly Message[]): (id: string) => Message | undefined {
  const positions = indexById(messages);
  return (id) => {
    const position = positions.get(id);
    return position === undefined ? undefined : messages[position];
  };
}

/** A message of a later view that is new or changed, and the message with the same id in the earlier view. */
export interface ChangedMessage {
  readonly message: Message;
  readonly original: Message | undefined;
  readonly position: number | undefined;
}

/** Lists the messages of a later view that differ from an earlier view, in order. Fast if most are the same. */
export function changedIn(before: readonly Message[], after: readonly Message[]): readonly ChangedMessage[] {
  const positions = indexById(before);
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
