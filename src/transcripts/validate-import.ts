import { areBehindCalls, pairCalls } from '../compaction/messages/exchange.ts';
import type { ContentPart, Message } from '../compaction/messages/message.ts';
import type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';
import { messagesOf } from '../compaction/transcript/transcript.ts';
import { picturePlaceholder, pictureUrl } from './reading/content-parts.ts';
import type { Imported } from './reading/transcript-format.ts';

/**
 * Completes an import. A picture without data becomes a placeholder in the text. A result without a call is reported,
 * because it will not be in the context.
 */
export function validateImport(imported: Imported): Imported {
  const problems = [...imported.problems];
  let corrected: TranscriptEntry[] | undefined;
  imported.entries.forEach((entry, index) => {
    if (entry.type !== 'message') return;
    const { message } = entry;
    const sound = withoutEmptyPictures(message);
    if (sound === message) return;
    problems.push(`A picture in message ${message.id} was skipped: it has no data.`);
    (corrected ??= [...imported.entries])[index] = { ...entry, message: sound };
  });
  const entries = corrected ?? imported.entries;
  const messages = messagesOf({ entries });
  const orphans = areBehindCalls(messages) ? [] : pairCalls(messages).orphans;
  for (const index of orphans) {
    problems.push(`Message ${messages[index]?.id} was skipped: a tool result has a call before it.`);
  }
  return { ...imported, entries, problems };
}

function withoutEmptyPictures(message: Message): Message {
  const { content } = message;
  if (typeof content === 'string' || !content?.some(isEmptyPicture)) return message;
  const parts = content.map((part): ContentPart =>
    isEmptyPicture(part) ? { type: 'text', text: picturePlaceholder } : part,
  );
  return { ...message, content: parts };
}

function isEmptyPicture(part: ContentPart): boolean {
  if (part.type !== 'image_url') return false;
  return /^(?:data:(?:[^,]+,|[^,]*;base64))?\s*$/i.test(pictureUrl(part) ?? '');
}

/**
 * Moves every result directly after its call. Results without a call are not moved.
 *
 * @param imported output of a format; with entries other than messages, it is already in order
 */
export function withResultsBehindCalls<Read extends Omit<Imported, 'others'>>(imported: Read): Read {
  if (imported.entries.some(({ type }) => type !== 'message')) return imported;
  const messages = messagesOf(imported);
  if (areBehindCalls(messages)) return imported;
  const { resultsOf, moved } = placesOf(messages);
  const order = messages.flatMap((_message, index) =>
    moved.has(index) ? [] : [index, ...(resultsOf.get(index) ?? [])],
  );
  if (order.every((from, index) => from === index)) return imported;
  const placeOf = new Map(order.map((from, index) => [from, index]));
  const placeFrom = (index: number): number => {
    let from = index;
    while (moved.has(from)) from++;
    return placeOf.get(from) ?? messages.length;
  };
  return {
    ...imported,
    entries: order.map((from) => ({ type: 'message', message: messages[from]! })),
    compactions: imported.compactions.map((compaction) => {
      const { beforeMessageIndex, keptFromIndex, alsoKept, instructionsLeft } = compaction;
      const placesFor = (indices: readonly number[]) => indices.flatMap((index) => placeOf.get(index) ?? []);
      return {
        ...compaction,
        beforeMessageIndex: placeFrom(beforeMessageIndex),
        ...(keptFromIndex !== undefined && { keptFromIndex: placeFrom(keptFromIndex) }),
        ...(alsoKept !== undefined && { alsoKept: placesFor(alsoKept) }),
        ...(instructionsLeft !== undefined && { instructionsLeft: placesFor(instructionsLeft) }),
      };
    }),
  };
}

/** Finds the results of each message with calls, including results that precede it. */
function placesOf(messages: readonly Message[]): {
  readonly resultsOf: ReadonlyMap<number, readonly number[]>;
  readonly moved: ReadonlySet<number>;
} {
  const { resultsOf, callerOf, unansweredOf, orphans } = pairCalls(messages);
  const all = new Map([...resultsOf].map(([caller, results]) => [caller, [...results]]));
  const moved = new Set(callerOf.keys());
  const open = [...unansweredOf].flatMap(([caller, calls]) => calls.map(({ id }) => ({ caller, id })));
  for (const orphan of orphans) {
    const place = open.findIndex(
      ({ caller, id }) => caller > orphan && id === messages[orphan]?.tool_call_id,
    );
    const [call] = place < 0 ? [] : open.splice(place, 1);
    if (call === undefined) continue;
    all.set(call.caller, [orphan, ...(all.get(call.caller) ?? [])]);
    moved.add(orphan);
  }
  return { resultsOf: all, moved };
}
