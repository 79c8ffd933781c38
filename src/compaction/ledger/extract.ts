import { emptyLedger, type Ledger, mergeLedgers, wholeLedger } from '../messages/ledger.ts';
import type { Message } from '../messages/message.ts';
import { memoisedByList } from '../messages/memoise.ts';
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
  const marks = marksIn(said);
  const messages = said.map((message) => withoutMarked(message, marks));
  let carried = emptyLedger;
  for (const { kind, carried: ofSummary } of messages) {
    const ledger = kind === 'summary' ? ofSummary?.ledger : undefined;
    if (ledger !== undefined) carried = mergeLedgers(carried, wholeLedger(ledger));
  }
  const nextSteps = workState(said).plan.flatMap(({ text, state }) => (state === 'done' ? [] : text));
  // All statements are sorted again. Other facts keep their order, earlier facts first.
  const rest: Ledger = { ...carried, requests: [], decisions: [], constraints: [], nextSteps: [] };
  const words = mergeLedgers(rest, {
    ...emptyLedger,
    ...spokenFacts(messages),
    marked: said.flatMap(ownMarkedFacts),
    nextSteps: nextSteps.slice(0, mostSteps),
  });
  return { ...withQuotedFacts(words, messages, marks), ...workFacts(said) };
});

const mostSteps = 10;
