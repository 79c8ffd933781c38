import { emptyLedger, type Ledger, type MarkedFact } from '../messages/ledger.ts';
import { type Content, isTyped, type Message, textOf, type TextRange } from '../messages/message.ts';
import type { Quotes } from '../messages/quote.ts';
import { marksOf, type SentenceMark } from '../messages/sentence-marks.ts';
import { longestFact } from './call-facts.ts';
import { requestFact } from './spoken-facts.ts';
import { typedChoice } from './option-forms.ts';
import { proseSentences } from './own-sentences.ts';

/**
 * Sentences that the user marked. Facts are read from messages without these sentences. A marked sentence is
 * only the fact that its mark states; a struck sentence is not a fact. A model may repeat the sentence without
 * effect. If the user repeats it, it is a new sentence.
 */

/** Sections of a ledger with sentences of the user or the model. */
const saidSections = [
  'requests',
  'decisions',
  'choices',
  'constraints',
  'preferences',
  'questions',
  'nextSteps',
] as const;

export function marksIn(messages: readonly Message[]): readonly SentenceMark[] {
  const marks = new Map<string, SentenceMark>();
  for (const message of messages) {
    const { own, session } = marksOf(message);
    for (const mark of [...session, ...own]) marks.set(mark.sentence, mark);
  }
  return [...marks.values()];
}

/** Returns the facts that the marks in a message state. */
export function ownMarkedFacts(message: Message): readonly MarkedFact[] {
  return marksOf(message).own.flatMap((mark) => factOf(mark) ?? []);
}

function factOf({ sentence, as, words }: SentenceMark): MarkedFact | undefined {
  if (as === undefined || as === 'struck') return undefined;
  return words === undefined ? { text: sentence, as } : { text: words, as, said: sentence };
}

/**
 * Removes marked sentences from a message before facts are read. Blanks replace them, so that ranges of its text remain
 * valid. Messages of a model and summaries also lose sentences marked elsewhere in the session.
 *
 * @param marks the marks of the session
 */
export function withoutMarked(message: Message, marks: readonly SentenceMark[]): Message {
  if (marks.length === 0) return message;
  const { own } = marksOf(message);
  const isRepeated = message.role === 'assistant' || message.kind === 'summary';
  const valid = isRepeated ? marks.filter(({ as }) => as !== undefined) : [];
  if (own.length + valid.length === 0 && message.carried?.ledger === undefined) return message;
  const content = mapText(message.content, (text) =>
    blanked(text, [
      ...own.flatMap(({ sentence }) =>
        isWholeRequest(message, sentence) ? [{ start: 0, end: text.length }] : ownPlaces(sentence, text),
      ),
      ...valid.flatMap(({ sentence }) => placesOf(sentence, text).filter((place) => isWhole(text, place))),
    ]),
  );
  const { carried } = message;
  const quotes = message.quotes && unmarkedQuotes(message.quotes, [...own, ...valid]);
  const ledger = carried?.ledger === undefined ? undefined : stillCarried(carried.ledger, marks);
  if (content === message.content && ledger === carried?.ledger && quotes === message.quotes) return message;
  return {
    ...message,
    content,
    ...(quotes && { quotes }),
    ...(ledger && { carried: { ...carried, ledger } }),
  };
}

/** Returns the quotes that contain no marked sentence. */
function unmarkedQuotes(quotes: Quotes, marks: readonly SentenceMark[]): Quotes {
  const isLeft = (text: string) => marks.every(({ sentence }) => !says(text, sentence));
  const found = quotes.found.filter(({ text }) => isLeft(text));
  const replaced = quotes.replaced.filter(({ text, newerText }) => isLeft(text) && isLeft(newerText));
  const isSame = found.length === quotes.found.length && replaced.length === quotes.replaced.length;
  return isSame ? quotes : { found, replaced };
}

/** Removes marked steps from a plan. Only a model lists steps. */
export function unmarkedSteps(steps: readonly string[], marks: readonly SentenceMark[]): readonly string[] {
  const marked = validSentences(marks);
  return steps.filter((step) => !marked.has(normal(step)));
}

/** Applies the marks of the session to the facts of a summary. */
function stillCarried(ledger: Partial<Ledger>, marks: readonly SentenceMark[]): Ledger {
  const known = new Map(marks.map((mark) => [normal(mark.sentence), mark]));
  const valid = marks.filter(({ as }) => as !== undefined);
  const marked = (ledger.marked ?? []).filter((fact) => {
    const mark = known.get(normal(fact.said ?? fact.text));
    return mark === undefined || (mark.as === fact.as && mark.words === (fact.said && fact.text));
  });
  const left = saidSections.map((section) => [
    section,
    (ledger[section] ?? []).flatMap((fact) => restOf(fact, valid) ?? []),
  ]);
  const replaced = (ledger.replaced ?? []).filter(({ text, by }) =>
    [text, by].every((words) => restOf(words, valid) === words),
  );
  return {
    ...emptyLedger,
    ...ledger,
    ...(Object.fromEntries(left) as Pick<Ledger, (typeof saidSections)[number]>),
    marked,
    replaced,
  };
}

/** Applies the marks of a session to its facts, and adds the sentences that the user marked. */
export function markedLedger(ledger: Ledger, marks: readonly SentenceMark[]): Ledger {
  if (marks.length === 0) return ledger;
  const left = stillCarried(ledger, marks);
  const facts = marks.flatMap((mark) => factOf(mark) ?? []);
  const known = new Set(facts.map(({ text }) => text));
  return { ...left, marked: [...left.marked.filter(({ text }) => !known.has(text)), ...facts] };
}

/** Removes marked sentences from a text in any form, such as JSON. */
export function withoutSentences(text: string, marks: readonly SentenceMark[]): string {
  const valid = marks.filter(({ as }) => as !== undefined);
  return valid.reduce((left, { sentence }) => {
    const places = placesOf(sentence, left).toReversed();
    return places.reduce((rest, { start, end }) => rest.slice(0, start) + rest.slice(end), left);
  }, text);
}

/** Minimum length of a text that may be the beginning of a longer sentence, in characters. */
const shortestCut = 200;

/** Removes marked sentences from a text that may be cut off. Returns undefined if nothing is left. */
export function unmarkedText(text: string, marks: readonly SentenceMark[]): string | undefined {
  const valid = marks.filter(({ as }) => as !== undefined);
  const isCut = ({ sentence }: SentenceMark) => normal(sentence).startsWith(normal(text));
  return text.length >= shortestCut && valid.some(isCut) ? undefined : restOf(text, valid);
}

/** Removes marked sentences from a carried fact. Returns undefined if nothing is left. */
function restOf(fact: string, marks: readonly SentenceMark[]): string | undefined {
  const typed = typedChoice(fact);
  if (typed !== fact && marks.some(({ sentence }) => says(typed, sentence))) return undefined;
  const places = marks.flatMap(({ sentence }) =>
    placesOf(sentence, fact).filter((place) => isWhole(fact, place)),
  );
  if (places.length === 0) return fact;
  const rest = blanked(fact, places).replace(/\s+/gu, ' ').trim();
  return /[\p{L}\p{N}]/u.test(rest) ? rest : undefined;
}

function validSentences(marks: readonly SentenceMark[]): ReadonlySet<string> {
  return new Set(marks.flatMap(({ sentence, as }) => (as === undefined ? [] : normal(sentence))));
}

function normal(sentence: string): string {
  return sentence.replace(/[\s*_`]+/gu, ' ').trim();
}

/** Cached expressions for recently searched sentences. */
const patterns = new Map<string, RegExp>();
const mostPatterns = 1_000;

function patternOf(sentence: string): RegExp | undefined {
  const words = normal(sentence)
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/gu, '\\$&'));
  if (words.length === 0) return undefined;
  const known = patterns.get(sentence);
  if (known !== undefined) return known;
  const boundary = /^\w/u.test(words[0]!) ? '(?<!\\w)' : '';
  const pattern = new RegExp(`${boundary}${words.join('[\\s*_`]+')}`, 'gu');
  if (patterns.size >= mostPatterns) patterns.clear();
  patterns.set(sentence, pattern);
  return pattern;
}

/**
 * Finds a sentence in a text, with any white space and emphasis between its words. The place of a fact that
 * was cut off extends to the end of the text.
 */
function placesOf(sentence: string, text: string): readonly TextRange[] {
  const pattern = patternOf(sentence);
  if (pattern === undefined) return [];
  const isCut = sentence.length >= longestFact - 2 && sentence.length <= longestFact;
  return Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
    start: index,
    end: isCut ? text.length : index + found.length,
  })).filter(({ end }) => isCut || !/\w/u.test(text[end - 1]!) || !/\w/u.test(text[end] ?? ''));
}

/** Finds a fact in the message that states it. A request may lack a sentence that was replaced later. */
function ownPlaces(sentence: string, text: string): readonly TextRange[] {
  const places = placesOf(sentence, text);
  if (places.length > 0) return places;
  const parts = proseSentences(sentence);
  return parts.length < 2 ? [] : parts.flatMap((part) => placesOf(part, text));
}

/** True if a sentence is the whole request of a message, without text that was pasted into it. */
function isWholeRequest(message: Message, sentence: string): boolean {
  return requestFact(message) === sentence;
}

/** True if a message of the user or a model contains a sentence. */
export function isSaidBy(message: Message, sentence: string): boolean {
  if (!isTyped(message) && message.role !== 'assistant') return false;
  return says(textOf(message.content), sentence) || isWholeRequest(message, sentence);
}

/** True if a text contains a sentence, and not only as part of another sentence. */
export function says(text: string, sentence: string): boolean {
  return placesOf(sentence, text).some((place) => isWhole(text, place));
}

/** True if a range consists of whole sentences. A fragment of a sentence can have another meaning. */
function isWhole(text: string, { start, end }: TextRange): boolean {
  const isEnded = /[.!?。！？;；]["')”’»*_`]*$/u.test(text.slice(Math.max(start, end - 8), end));
  return (
    isBeginning(text, start) &&
    (isEnded || /^[*_`]*(?:$|\s*\n|[.!?。！？;；])/u.test(text.slice(end, end + 4)))
  );
}

/** True if a sentence begins at a position: on a new line, in a list, after a label or after another sentence. */
function isBeginning(text: string, start: number): boolean {
  let at = start;
  while (at > 0 && /[\s*_`>#•·-]/u.test(text[at - 1]!)) {
    if (text[at - 1] === '\n') return true;
    at--;
  }
  return at === 0 || /[.!?。！？:：;；)"'”’»\]]/u.test(text[at - 1]!);
}

function blanked(text: string, places: readonly TextRange[]): string {
  let left = text;
  for (const { start, end } of places) {
    left = left.slice(0, start) + left.slice(start, end).replace(/[^\n]/gu, ' ') + left.slice(end);
  }
  return left;
}

function mapText(content: Content, change: (text: string) => string): Content {
  if (content === null) return content;
  if (typeof content === 'string') {
    const changed = change(content);
    return changed === content ? content : changed;
  }
  const parts = content.map((part) => {
    if (part.text === undefined) return part;
    const text = change(part.text);
    return text === part.text ? part : { ...part, text };
  });
  return parts.every((part, index) => part === content[index]) ? content : parts;
}
