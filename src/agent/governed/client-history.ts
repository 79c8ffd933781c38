import type { Message } from '../../compaction/messages/message.ts';
import { broughtMessages, messagesOf, type Transcript } from '../../compaction/transcript/transcript.ts';
import type { HistoryEvent } from '../../transcripts/session/session-event.ts';
import type { SessionContents } from '../../transcripts/session/session-format.ts';
import { type Compared, comparedTo } from './history-change.ts';

/** A message of the client's last history. */
export interface Known extends Compared {
  readonly id: string;
}

/** Returns the event from which a history that the client changed can be read. @param recordId record of the change */
export function historyEvent(
  known: readonly Known[],
  transcript: Pick<Transcript, 'entries'>,
  recordId: string | undefined,
): HistoryEvent {
  const originals = originalsIn(transcript);
  const keys = known.flatMap(({ id, key }) => {
    const original = originals.get(id);
    return original !== undefined && comparedTo(original).key === key ? [] : [[id, key] as const];
  });
  return {
    type: 'history',
    messageIds: known.map(({ id }) => id),
    ...(keys.length > 0 && { keys: Object.fromEntries(keys) }),
    ...(recordId !== undefined && { recordId }),
  };
}

/** Reads the client's last history, with the reply to it. */
export function knownIn({
  entries,
  history = { messageIds: [], entries: 0 },
}: Pick<SessionContents, 'entries' | 'history'>): readonly Known[] {
  const originals = originalsIn({ entries });
  const later = messagesOf({ entries: entries.slice(history.entries) }).map(({ id }) => id);
  const keys = new Map(Object.entries(history.keys ?? {}));
  return [...history.messageIds, ...later].flatMap((id) => {
    const original = originals.get(id);
    // A message whose line is damaged is a new message when the client returns it.
    if (original === undefined) return [];
    const compared = comparedTo(original);
    return [{ ...compared, id, key: keys.get(id) ?? compared.key }];
  });
}

/** Messages as the client first sent them, by id. */
function originalsIn(transcript: Pick<Transcript, 'entries'>): ReadonlyMap<string, Message> {
  const messages = [...messagesOf(transcript), ...broughtMessages(transcript)];
  return new Map(messages.map((message) => [message.id, message]));
}
