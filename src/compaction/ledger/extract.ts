import { emptyLedger, type Ledger, mergeLedgers, wholeLedger } from '../messages/ledger.ts';
import type { Message } from '../messages/message.ts';
import { rememberedList } from '../messages/remembered.ts';
import { marksIn, ownMarkedFacts, unmarkedSteps, withoutMarked } from './marked-sentences.ts';
import { openStepsOf } from './open-steps.ts';
import { closingReplies, mostAnswers } from './plan-steps.ts';
import { withQuotedFacts } from './quoted-facts.ts';
import { spokenFacts } from './spoken-facts.ts';
import { workFacts } from './work-facts.ts';

/**
 * The facts of messages, from structured fields if there are any. Ledgers that summaries carry are taken over; the
 * text of a summary is neither a request nor a rule.
 */
export const extractLedger: (messages: readonly Message[]) => Ledger = rememberedList((said) => {
  const marks = marksIn(said);
  const messages = said.map((message) => withoutMarked(message, marks));
  let carried = emptyLedger;
  let nextSteps: readonly string[] = [];
  let answers = 0;
  const closing = closingReplies(messages);
  for (const message of messages) {
    const ledger = message.kind === 'summary' ? message.carried?.ledger : undefined;
    if (ledger !== undefined) {
      carried = mergeLedgers(carried, wholeLedger(ledger));
      if (ledger.nextSteps.length > 0) ({ nextSteps } = ledger);
      answers = message.carried?.state?.answersSincePlan ?? 0;
    }
    const planned = message.tool_calls?.map(openStepsOf).findLast((steps) => steps !== undefined);
    if (closing.has(message)) answers++;
    if (planned !== undefined) answers = 0;
    nextSteps = planned ?? (answers < mostAnswers ? nextSteps : []);
  }
  // What was said is sorted again as a whole; of everything else the earlier facts come first.
  const rest: Ledger = { ...carried, requests: [], decisions: [], constraints: [], nextSteps: [] };
  const words = mergeLedgers(rest, {
    ...emptyLedger,
    ...spokenFacts(messages),
    marked: said.flatMap(ownMarkedFacts),
    nextSteps: unmarkedSteps(nextSteps, marks),
  });
  return { ...withQuotedFacts(words, messages, marks), ...workFacts(said) };
});
