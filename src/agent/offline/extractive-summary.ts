import { setImmediate } from 'node:timers/promises';
import { type CancellationSignal, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { type Message, textOf } from '../../compaction/messages/message.ts';
import {
  type Notes,
  noteSection,
  notesIn,
  sinceTitle,
  soFarShare,
  soFarTitle,
} from '../../compaction/summary/note-sections.ts';
import type { SummaryRequest } from '../../compaction/summary/summary-model.ts';
import { isSummaryText } from '../../compaction/summary/summary-form.ts';
import { costOf, createTextRoom, KeySentences, type TextRoom } from './key-sentences.ts';

/** Maximum size of the summary, as a share of the summarised characters. */
const largestShare = 1 / 5;
/** Messages after which other work gets its turn. */
const messagesPerBreath = 64;
/** Share of the room for earlier notes that those of the last compaction may take. */
const newestShare = 1 / 2;
/** Lines of earlier notes that stay where nothing is new. */
const fewLines = 4;

/**
 * Summarises by selecting text: the model's most telling sentences, and the earlier notes that fit. The program copies
 * requests and actions separately. The same messages give the same summary; it is empty if nothing was said.
 *
 * @throws {CancelledError} if the signal was aborted
 */
export async function extractiveSummary(
  request: SummaryRequest,
  signal: CancellationSignal,
): Promise<string> {
  const { sources, focus, maxOutputTokens, tag } = request;
  const opening = `<${tag}>\n`;
  const closing = `\n</${tag}>`;
  const spoken = new KeySentences(focus);
  const earlier: { soFar: string[]; since: string[] } = { soFar: [], since: [] };
  let characters = 0;
  for (const [index, message] of sources.entries()) {
    if (index % messagesPerBreath === 0) await setImmediate();
    throwIfCancelled(signal);
    characters += sizeOf(message);
    const text = textOf(message.content);
    if (message.kind === 'summary' || isSummaryText(text)) {
      const { soFar, since } = notesIn(text);
      // With two summaries, the notes of the first are older than those of the second.
      earlier.soFar.push(...earlier.since.splice(0), ...soFar);
      earlier.since.push(...since);
    } else if (message.role === 'assistant') spoken.addMessage(message);
  }
  const room = createTextRoom(
    Math.floor(characters * largestShare) - opening.length - closing.length,
    maxOutputTokens - costOf(opening + closing) - 1,
  );
  const forEarlier = room.part(soFarShare);
  const since = spoken.choose(room.part(1 - soFarShare), Number.POSITIVE_INFINITY);
  const soFar = aged(earlier, since.length, forEarlier, focus);
  const text = [...noteSection(soFarTitle, soFar), ...noteSection(sinceTitle, since)].join('\n');
  return text === '' ? '' : `${opening}${harmless(text)}${closing}`;
}

/**
 * Earlier notes in less room, and no more lines than are new: the very first, then the best of the last compaction, then
 * of those before it. So their number falls with every compaction.
 *
 * @param since number of new lines
 */
function aged(
  { soFar, since: last }: Notes,
  since: number,
  room: TextRoom,
  focus: string | undefined,
): readonly string[] {
  const best = (lines: readonly string[], place: TextRoom, most: number) => {
    const sentences = new KeySentences(focus);
    for (const line of lines) sentences.addNote(line);
    return sentences.choose(place, most);
  };
  const [first, ...older] = soFar.length > 0 ? soFar : last.slice(0, 1);
  if (first === undefined || !room.take(`- ${first}\n`)) return [];
  const most = Math.max(fewLines, since) - 1;
  const recent = best(
    soFar.length > 0 ? last : last.slice(1),
    older.length > 0 ? room.part(newestShare) : room,
    older.length > 0 ? Math.ceil(most * newestShare) : most,
  );
  for (const line of recent) room.take(`- ${line}\n`);
  return [first, ...best(older, room, most - recent.length), ...recent];
}

function sizeOf(message: Message): number {
  const calls = message.tool_calls ?? [];
  return calls.reduce(
    (sum, { function: called }) => sum + called.name.length + called.arguments.length,
    textOf(message.content).length,
  );
}

/** Rewrites tags that a reader of the summary would take for its own, so that they are none. */
function harmless(text: string): string {
  return text.replace(
    /<(?=\/?(?:summary|ledger|state_snapshot|discussion|think|thinking|analysis|scratchpad)\b)/gi,
    '&lt;',
  );
}
