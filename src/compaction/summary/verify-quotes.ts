import { factText } from '../ledger/call-facts.ts';
import { ownLines, proseSentences } from '../ledger/own-sentences.ts';
import { isTyped, type Message, textOf } from '../messages/message.ts';
import {
  type DropReason,
  type Quote,
  type QuotedReplacement,
  type QuoteKind,
  quoteKinds,
} from '../messages/quote.ts';
import { allQuotes } from '../messages/quoted-messages.ts';
import { memoised } from '../messages/memoise.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { continuesAfter, continuesBefore, unspaced } from '../text/boundaries.ts';
import type { ClaimedQuotes } from './read-quotes.ts';

/** Maximum number of entries of a reply that are checked: ten times the requested number. */
const mostQuotes = 300;
/** Minimum number of words in a quote of part of a sentence. Scripts without spaces have a limit of characters. */
const fewestWords = 3;
const fewestCharacters = 5;

type Speaker = 'user' | 'assistant';

const speakersOf: Readonly<Record<QuoteKind, readonly Speaker[]>> = {
  rule: ['user'],
  decision: ['user'],
  preference: ['user'],
  choice: ['assistant'],
  step: ['assistant'],
  question: ['user', 'assistant'],
};

/** Finds quotes in the messages that they name by position, from 1. Keeps whole sentences with conditions. */
export function verifyQuotes(claimed: ClaimedQuotes, history: readonly Message[]) {
  const dropped: Partial<Record<DropReason, number>> = { ...claimed.dropped };
  const drop = (reason: DropReason, count = 1) => {
    dropped[reason] = (dropped[reason] ?? 0) + count;
  };
  const found: Quote[] = [];
  for (const { as, id, quote } of claimed.quotes.slice(0, mostQuotes)) {
    const kind = quoteKinds.find((name) => name === as);
    if (kind === undefined) {
      drop('unreadable');
      continue;
    }
    const place = placeOf(id, quote, 'first', speakersOf[kind], history);
    if (typeof place === 'string') drop(place);
    else found.push({ kind, id: place.id, text: place.text });
  }
  const replaced: QuotedReplacement[] = [];
  const pairs = Math.max(0, mostQuotes - claimed.quotes.length);
  for (const pair of claimed.replaced.slice(0, pairs)) {
    const checked = replacementOf(pair, history);
    if (typeof checked === 'string') drop(checked);
    else replaced.push(checked);
  }
  const unread = claimed.quotes.length + claimed.replaced.length - mostQuotes;
  if (unread > 0) drop('tooMany', unread);
  const quotes = allQuotes([{ found, replaced }]);
  return { quotes, counts: { kept: quotes.found.length + quotes.replaced.length, dropped } };
}

/** Checks a replacement. The user's words can only be replaced by the user, the assistant's words by either. */
function replacementOf(
  { id, quote, newerId, newerQuote }: ClaimedQuotes['replaced'][number],
  history: readonly Message[],
): QuotedReplacement | DropReason {
  const old = placeOf(id, quote, 'first', ['user', 'assistant'], history);
  if (typeof old === 'string') return old;
  const speakers: readonly Speaker[] = old.speaker === 'user' ? ['user'] : ['user', 'assistant'];
  const newer = placeOf(newerId, newerQuote, 'last', speakers, history);
  if (typeof newer === 'string') return newer;
  const isLater =
    newer.index > old.index || (newer.index === old.index && newer.sentence >= old.sentence + old.sentences);
  if (!isLater || newer.text === old.text) return 'wrongOrder';
  return { id: old.id, text: old.text, newerId: newer.id, newerText: newer.text };
}

interface Place {
  readonly id: string;
  readonly speaker: Speaker;
  readonly index: number;
  readonly sentence: number;
  readonly sentences: number;
  readonly text: string;
}

function placeOf(
  label: string,
  quote: string,
  which: 'first' | 'last',
  speakers: readonly Speaker[],
  history: readonly Message[],
): Place | DropReason {
  const index = /^\d{1,9}$/u.test(label) ? Number(label) - 1 : -1;
  const message = history[index];
  if (message === undefined) return 'unknownMessage';
  const words = wordsOf(message);
  if (words === undefined) return 'otherSpeaker';
  const isOfSpeaker = speakers.includes(words.speaker);
  for (const needle of formsOf(quote)) {
    const span = spanOf(needle, words, which);
    if (span === undefined) continue;
    if (!isOfSpeaker || (words.speaker === 'user' && isPasted(needle, history, index))) return 'otherSpeaker';
    const text = factText(words.sentences.slice(span.sentence, span.sentence + span.sentences).join(' '));
    return { id: message.id, speaker: words.speaker, index, ...span, text };
  }
  const isElsewhere = formsOf(quote).some(
    (needle) => isLong(needle) && !words.text.includes(needle) && plainText(message).includes(needle),
  );
  return isElsewhere ? 'otherSpeaker' : 'notFound';
}

/** Minimum length of a text that is not repeated by coincidence, in characters. */
const shortestPasted = 40;

/** True for words that the assistant or a tool wrote before the user did. */
function isPasted(needle: string, history: readonly Message[], index: number): boolean {
  if (needle.length < shortestPasted) return false;
  return history
    .slice(0, index)
    .some(
      (message) =>
        (message.role === 'assistant' || message.role === 'tool') && plainText(message).includes(needle),
    );
}

const plainText = memoised((message: Message) => plain(textOf(message.content)));

interface Words {
  readonly speaker: Speaker;
  readonly sentences: readonly string[];
  /** All sentences in comparable form, and the start of each. */
  readonly text: string;
  readonly starts: readonly number[];
}

const wordsOf = memoised((message: Message): Words | undefined => {
  const isAssistant = message.role === 'assistant' && message.kind === undefined;
  if (!isAssistant && !isTyped(message)) return undefined;
  const text = isAssistant ? textOf(message.content) : ownLines(ownWords(message)).join('\n');
  const sentences = proseSentences(text);
  let end = 0;
  const starts = sentences.map(({ length }) => (end += length + 1) - length - 1);
  return {
    speaker: isAssistant ? 'assistant' : 'user',
    sentences,
    text: plain(sentences.join(' ')),
    starts,
  };
});

/** Finds the sentences that contain a quote. Rejects parts of words, and one or two words that could be anywhere. */
function spanOf(
  needle: string,
  { text, starts, sentences }: Words,
  which: 'first' | 'last',
): Pick<Place, 'sentence' | 'sentences'> | undefined {
  if (needle === '') return undefined;
  const next = (from: number) =>
    which === 'first' ? text.indexOf(needle, from) : from < 0 ? -1 : text.lastIndexOf(needle, from);
  const step = which === 'first' ? 1 : -1;
  for (let start = next(which === 'first' ? 0 : text.length); start >= 0; start = next(start + step)) {
    const end = start + needle.length;
    if (continuesBefore(text, start) || continuesAfter(text, end)) continue;
    const first = starts.findLastIndex((at) => at <= start);
    const last = starts.findLastIndex((at) => at < end);
    const whole = sentences.slice(first, last + 1).reduce((length, one) => length + one.length + 1, -1);
    if (!isLong(needle) && needle.length < whole - 1) continue;
    return { sentence: first, sentences: last - first + 1 };
  }
  return undefined;
}

const unspacedCharacters = new RegExp(unspaced, 'gu');

function isLong(needle: string): boolean {
  return (
    needle.split(' ').length >= fewestWords ||
    (needle.match(unspacedCharacters)?.length ?? 0) >= fewestCharacters
  );
}

/** Returns the possible forms of a quote, because a model may copy escaped characters. */
function formsOf(quote: string): readonly string[] {
  const unescaped = quote.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  return [...new Set([quote, unescaped])].map((form) => plain(proseSentences(form).join(' ')));
}

/** Folds white space and quotation marks, so that texts can be compared. */
function plain(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b\u2039\u203a\u02bc\u00b4`]/gu, "'")
    .replace(/[\u201c\u201d\u201e\u201f\u00ab\u00bb\u300c\u300d\u300e\u300f\uff02]/gu, '"')
    .replace(/\s+/gu, ' ');
}
