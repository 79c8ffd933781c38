import { setImmediate } from 'node:timers/promises';
import { requestTurns } from '../../compaction/ledger/request-turns.ts';
import { type Message, textOf } from '../../compaction/messages/message.ts';
import { type CancellationSignal, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import {
  newestLines,
  noteOn,
  noteSection,
  notesIn,
  repliesTitle,
  sinceTitle,
  soFarShare,
  soFarTitle,
} from '../../compaction/summary/note-sections.ts';
import { isSummaryText } from '../../compaction/summary/summary-form.ts';
import type { SummaryRequest } from '../../compaction/summary/summary-model.ts';
import { comparedWords } from './offline-terms.ts';

/** Maximum share of the summarised characters for the summary. */
const largestShare = 1 / 5;
/** Number of turns processed before other work may run. */
const turnsPerBreath = 16;
/** Number of lines that earlier notes may always keep, even if nothing is new. */
const fewLines = 3;

/**
 * Summarises by selecting text: the sentence that answers each request, newest first while there is room, and
 * the newest earlier notes. The caller copies requests and actions separately. The same messages give the
 * same summary. It is empty without replies.
 * @throws {CancelledError} if the signal was aborted
 */
export async function extractiveSummary(
  request: SummaryRequest,
  signal: CancellationSignal,
): Promise<string> {
  const { sources, history = sources, focus, maxOutputTokens, tag } = request;
  const [opening, closing] = [`<${tag}>\n`, `\n</${tag}>`];
  const earlier = sources
    .filter(({ kind, content }) => kind === 'summary' || isSummaryText(textOf(content)))
    .map(({ content }) => notesIn(textOf(content)))
    .flatMap(({ soFar, since }) => [...soFar, ...since]);
  const characters = sources.reduce((sum, message) => sum + sizeOf(message), 0);
  const room = createTextRoom(
    Math.floor(characters * largestShare) - opening.length - closing.length,
    maxOutputTokens - mostTokensOf(opening + closing) - 1,
  );
  const forEarlier = room.part(soFarShare);
  const since = await notesOnReplies(sources, history, focus, room.part(1 - soFarShare), signal);
  // Keeps at most as many old lines as there are new lines, so that their number falls with each compaction.
  const most = Math.max(fewLines, since.length);
  const soFar = newestLines(earlier, most, (line) => forEarlier.take(`- ${line}\n`));
  const title = earlier.length > 0 ? sinceTitle : repliesTitle;
  const text = [...noteSection(soFarTitle, soFar), ...noteSection(title, since)].join('\n');
  return text === '' ? '' : `${opening}${harmless(text)}${closing}`;
}

/** Writes a note on each summarised reply whose sentence is still valid, oldest first. */
async function notesOnReplies(
  sources: readonly Message[],
  history: readonly Message[],
  focus: string | undefined,
  room: TextRoom,
  signal: CancellationSignal,
): Promise<readonly string[]> {
  const ids = new Set(sources.map(({ id }) => id));
  const wanted = new Set(comparedWords(focus ?? ''));
  const isWanted = (text: string) => comparedWords(text).some((word) => wanted.has(word));
  const said = new Set<string>();
  const notes: { readonly line: string; readonly place: number }[] = [];
  for (const [place, { asked, answer, sentence }] of [...requestTurns(history).entries()].toReversed()) {
    if (place % turnsPerBreath === 0) await setImmediate();
    throwIfCancelled(signal);
    const isSource = answer !== undefined && ids.has(answer.id) && !isSummaryText(textOf(answer.content));
    if (!isSource || sentence === undefined || said.has(sentence)) continue;
    said.add(sentence);
    notes.push({ line: noteOn(asked, sentence), place });
  }
  return notes
    .toSorted((one, other) => Number(isWanted(other.line)) - Number(isWanted(one.line)))
    .filter(({ line }) => room.take(`- ${line}\n`))
    .toSorted((one, other) => one.place - other.place)
    .map(({ line }) => line);
}

function sizeOf(message: Message): number {
  const calls = message.tool_calls ?? [];
  return calls.reduce(
    (sum, { function: called }) => sum + called.name.length + called.arguments.length,
    textOf(message.content).length,
  );
}

/** Escapes tags that a reader would mistake for tags of the summary itself. */
function harmless(text: string): string {
  return text.replace(
    /<(?=\/?(?:summary|ledger|state_snapshot|discussion|think|thinking|analysis|scratchpad)\b)/gi,
    '&lt;',
  );
}

/** Room for text with two limits: in characters, and in estimated tokens. */
interface TextRoom {
  /** Takes the text if it fits. @returns true if it fits */
  take(text: string): boolean;
  /** Creates a separate room with a share of the remaining room. Text taken there does not reduce this room. */
  part(share: number): TextRoom;
}

export function createTextRoom(characters: number, tokens: number): TextRoom {
  let charactersLeft = Math.max(0, characters);
  let tokensLeft = Math.max(0, tokens);
  return {
    take(text) {
      const cost = mostTokensOf(text);
      if (text.length > charactersLeft || cost > tokensLeft) return false;
      charactersLeft -= text.length;
      tokensLeft -= cost;
      return true;
    },
    part: (share) => createTextRoom(charactersLeft * share, tokensLeft * share),
  };
}

/** Table of ASCII codes with 1 for each character that is neither a letter nor a space. */
const isSign = Uint8Array.from({ length: 0x80 }, (_, code) =>
  /[^a-z\s]/i.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * Estimates the maximum tokens of a text without a tokenizer: one for three letters or spaces, nearly one for a digit
 * or sign, and more than one for any other character.
 */
export function mostTokensOf(text: string): number {
  let beyond = 0;
  let signs = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code >= 0x80) beyond++;
    else if (isSign[code] === 1) signs++;
  }
  return beyond * 1.3 + signs * 0.9 + (text.length - beyond - signs) / 3;
}
