import { engineSentences } from '../../language/english/engine-english.ts';
import { isSaidBy } from '../ledger/marked-sentences.ts';
import { typedChoice } from '../ledger/option-forms.ts';
import { longestMarked, type SentenceMark } from '../messages/sentence-marks.ts';
import { messagesOf, type Transcript, TranscriptError } from '../transcript/transcript.ts';
import type { MarkEntry } from '../transcript/transcript-entry.ts';

/** A sentence that the user marks, or whose newest mark the user takes back. */
export interface MarkRequest extends SentenceMark {
  /** Id of the message with the sentence; absent for a sentence of a fact or a summary. */
  readonly messageId?: string | undefined;
}

/** Returns the entry for a mark; undefined if it changes nothing. @throws {TranscriptError} for an unknown message */
export function markEntry(
  transcript: Pick<Transcript, 'entries' | 'marks'>,
  { messageId, sentence, as, words }: MarkRequest,
  createdAt: string,
): MarkEntry | undefined {
  const shown = fold(sentence);
  const folded = typedChoice(shown);
  if (folded === '') return undefined;
  const newest = transcript.marks.get(folded)?.at(-1);
  // By default, the wording of a choice includes the chosen options.
  const wording = fold(words ?? (as === 'struck' ? '' : shown));
  const reworded = wording === folded ? undefined : wording || undefined;
  if (as === newest?.as && reworded === newest?.words) return undefined;
  const messages = messagesOf(transcript);
  if (messageId !== undefined && messages.every(({ id }) => id !== messageId)) {
    throw new TranscriptError(engineSentences.say('hasNoMessage', { id: messageId }));
  }
  const messageIds = messages
    .filter((message) => message.id === messageId || isSaidBy(message, folded))
    .map(({ id }) => id);
  return {
    type: 'mark',
    createdAt,
    messageIds,
    sentence: folded,
    ...(as === undefined ? {} : { as }),
    ...(reworded === undefined ? {} : { words: reworded }),
  };
}

function fold(text: string): string {
  return text.replace(/\s+/gu, ' ').trim().slice(0, longestMarked);
}
