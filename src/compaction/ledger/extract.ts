import { emptyLedger, type Ledger, mergeLedgers, wholeLedger } from '../messages/ledger.ts';
import type { Message } from '../messages/message.ts';
import { remembered, rememberedList } from '../messages/remembered.ts';
import {
  announcedSteps,
  openStepsOf,
  type Spoken,
  spokenFacts,
  spokenIn,
  spokenInLedger,
} from './spoken-facts.ts';
import { marksIn, ownMarkedFacts, unmarkedSteps, withoutMarked } from './marked-sentences.ts';
import { workFacts } from './work-facts.ts';

/** Words of one message that are facts, as far as it alone tells them. */
interface SaidFacts {
  readonly spoken: Spoken;
  /** The steps left after this message; undefined if it says nothing of them. */
  readonly nextSteps: readonly string[] | undefined;
  /** Facts that a summary carries on from earlier messages. */
  readonly earlier: { readonly ledger: Ledger; readonly spoken: readonly Spoken[] } | undefined;
}

/**
 * The facts of messages, from structured fields if there are any. Ledgers that summaries carry are taken over; the
 * text of a summary is neither a request nor a rule.
 */
export const extractLedger: (messages: readonly Message[]) => Ledger = rememberedList((said) => {
  const marks = marksIn(said);
  const messages = said.map((message) => withoutMarked(message, marks));
  let earlier = emptyLedger;
  const spoken: Spoken[] = [];
  let nextSteps: readonly string[] = [];
  for (const message of messages) {
    const fact = factsOf(message);
    if (fact.earlier !== undefined) {
      const { ledger } = fact.earlier;
      earlier = mergeLedgers(earlier, ledger);
      spoken.push(...fact.earlier.spoken);
      if (ledger.nextSteps.length > 0) ({ nextSteps } = ledger);
    }
    spoken.push(fact.spoken);
    nextSteps = fact.nextSteps ?? nextSteps;
  }
  // What was said is sorted again as a whole; of everything else the earlier facts come first.
  const { marked, preferences, questions, replaced } = earlier;
  const rest: Ledger = {
    ...emptyLedger,
    marked,
    preferences,
    questions,
    nextSteps: unmarkedSteps(earlier.nextSteps, marks),
    replaced,
  };
  return {
    ...mergeLedgers(rest, {
      ...emptyLedger,
      ...spokenFacts(spoken),
      marked: said.flatMap(ownMarkedFacts),
      nextSteps: unmarkedSteps(nextSteps, marks),
    }),
    ...workFacts(said),
  };
});

const factsOf = remembered((message: Message): SaidFacts => {
  const plan = message.tool_calls?.map(openStepsOf).findLast((steps) => steps !== undefined);
  const announced = announcedSteps(message);
  const ledger = message.kind === 'summary' ? message.carried?.ledger : undefined;
  return {
    spoken: spokenIn(message),
    nextSteps: plan ?? (announced.length > 0 ? announced : undefined),
    earlier: ledger && { ledger: wholeLedger(ledger), spoken: spokenInLedger(ledger) },
  };
});
