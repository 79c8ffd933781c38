import { lastMet, type Ledger, type ReplacedFact } from '../messages/ledger.ts';
import { isTyped, type Message } from '../messages/message.ts';
import type { QuoteKind } from '../messages/quote.ts';
import type { SentenceMark } from '../messages/sentence-marks.ts';
import { says } from './marked-sentences.ts';
import { proseSentences } from './own-sentences.ts';
import { withoutReplacedSentences } from './spoken-facts.ts';

/** The sections of a ledger that quotes add to. */
type QuotedSections = Pick<
  Ledger,
  | 'requests'
  | 'constraints'
  | 'decisions'
  | 'preferences'
  | 'choices'
  | 'questions'
  | 'nextSteps'
  | 'replaced'
>;

type QuotedSection = Exclude<keyof QuotedSections, 'requests' | 'replaced'>;

const sectionOf: Readonly<Record<QuoteKind, QuotedSection>> = {
  rule: 'constraints',
  decision: 'decisions',
  preference: 'preferences',
  choice: 'choices',
  question: 'questions',
  step: 'nextSteps',
};

const replaceableSections = ['constraints', 'decisions', 'preferences', 'choices'] as const;

/**
 * Adds verified quotes from the messages to facts found without a model. Later words replace earlier ones.
 *
 * @param marks the marks of the session; a marked sentence is only the fact that its mark states
 */
export function withQuotedFacts<Known extends QuotedSections>(
  ledger: Known,
  messages: readonly Message[],
  marks: readonly SentenceMark[],
): Known {
  if (!messages.some(({ quotes }) => quotes !== undefined)) return ledger;
  const found: Record<QuotedSection, string[]> = {
    constraints: [],
    decisions: [],
    preferences: [],
    choices: [],
    questions: [],
    nextSteps: [],
  };
  // The user has already decided about marked sentences.
  const isMarked = (text: string) =>
    marks.some(({ sentence, as }) => as !== undefined && says(text, sentence));
  const quotedOver = new Map<string, ReplacedFact>();
  const typed = new Set(messages.filter(isTyped).map(({ id }) => id));
  /** The assistant's sentences that are no longer valid. The section `replaced` lists only words of the user. */
  const over = new Set<string>();
  for (const { quotes } of messages) {
    for (const { kind, text } of quotes?.found ?? []) {
      if (isMarked(text)) continue;
      found[sectionOf[kind]].push(text);
      // A repeated sentence is valid again.
      quotedOver.delete(text);
      over.delete(text);
    }
    for (const { id, text, newerText } of quotes?.replaced ?? []) {
      if (isMarked(text) || isMarked(newerText)) continue;
      if (typed.has(id)) quotedOver.set(text, { text, by: newerText });
      else over.add(text);
    }
  }
  const replaced = new Map([...ledger.replaced, ...quotedOver.values()].map((fact) => [fact.text, fact]));
  const isGone = (text: string) => over.has(text) || replaced.has(text);
  // A fact found without a model may consist of several sentences.
  const isOver = (text: string) => isGone(text) || proseSentences(text).some(isGone);
  const merged = replaceableSections.map((section) => {
    const known = ledger[section].filter((text) => !isOver(text));
    const fresh = found[section].filter(
      (text) => !isOver(text) && !known.some((other) => other.includes(text)),
    );
    return [section, lastMet(known, fresh)] as const;
  });
  return {
    ...ledger,
    requests: ledger.requests.flatMap((request) => withoutReplacedSentences(request, quotedOver) ?? []),
    ...Object.fromEntries(merged),
    questions: found.questions.length > 0 ? lastMet([], found.questions) : ledger.questions,
    nextSteps: lastMet(found.nextSteps, ledger.nextSteps),
    replaced: chained([...replaced.values()]),
  };
}

/** Follows each chain of replacements to its last sentence, which is still valid. */
function chained(replaced: readonly ReplacedFact[]): readonly ReplacedFact[] {
  const next = new Map(replaced.map(({ text, by }) => [text, by]));
  return replaced.map(({ text, by }) => {
    const met = new Set([text]);
    let last = by;
    for (let after = next.get(last); after !== undefined && !met.has(last); after = next.get(last)) {
      met.add(last);
      last = after;
    }
    return { text, by: last };
  });
}
