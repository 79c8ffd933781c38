import {
  emptyLedger,
  type Ledger,
  mergeLedgers,
  wholeLedger,
  type WorkSections,
} from '../messages/ledger.ts';
import type { Message } from '../messages/message.ts';
import { memoised, memoisedByList } from '../messages/memoise.ts';
import { marksIn, ownMarkedFacts, withoutMarked } from './marked-sentences.ts';
import { withQuotedFacts } from './quoted-facts.ts';
import { spokenFacts } from './spoken-facts.ts';
import { workFacts } from './work-facts.ts';
import { workState } from './work-state.ts';

/**
 * Extracts the facts of messages, from structured fields where possible. Merges the ledgers of summaries. The
 * text of a summary is neither a request nor a rule.
 */
export const extractLedger: (messages: readonly Message[]) => Ledger = memoisedByList((said) => {
  const nextSteps = workState(said).plan.flatMap(({ text, state }) => (state === 'done' ? [] : text));
  return { ...wordsIn(said, nextSteps.slice(0, mostSteps)), ...workFacts(said) };
});

const mostSteps = 10;

/** The facts of a ledger, without those of calls and the steps of a plan. */
type SaidFacts = Omit<Ledger, keyof WorkSections | 'nextSteps'>;

/** Returns the facts that the words of messages state. */
export function factsSaidIn(messages: readonly Message[]): SaidFacts {
  return wordsIn(messages, []);
}

/** Returns the facts that the words of one message state, cached. */
export const factsSaidBy: (message: Message) => SaidFacts = memoised((message) => factsSaidIn([message]));

function wordsIn(said: readonly Message[], nextSteps: readonly string[]): Ledger {
  const marks = marksIn(said);
  const messages = said.map((message) => withoutMarked(message, marks));
  let carried = emptyLedger;
  for (const { kind, carried: ofSummary } of messages) {
    const ledger = kind === 'summary' ? ofSummary?.ledger : undefined;
    if (ledger !== undefined) carried = mergeLedgers(carried, wholeLedger(ledger));
  }
  // All statements are sorted again. Other facts keep their order, earlier facts first.
  const rest: Ledger = { ...carried, requests: [], decisions: [], constraints: [], nextSteps: [] };
  const words = mergeLedgers(rest, {
    ...emptyLedger,
    ...spokenFacts(messages),
    marked: said.flatMap(ownMarkedFacts),
    nextSteps,
  });
  return withQuotedFacts(words, messages, marks);
}
