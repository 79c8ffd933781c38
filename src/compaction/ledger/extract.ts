import { callsByResult } from '../exchange.ts';
import { typedText, type Message, type ToolCall } from '../message.ts';
import { factsOfCall, type CallFacts } from './call-facts.ts';
import { emptyLedger, lastMet, mergeLedgers, type CommandFact, type Ledger } from './ledger.ts';
import { announcedSteps, openStepsOf } from './next-steps.ts';
import { openErrors, type ErrorReport } from './open-errors.ts';
import { errorsIn, exitStatusIn } from './result-facts.ts';
import { spokenFacts, spokenIn, spokenInLedger, type Spoken } from './spoken-facts.ts';

/** The facts of one message, as far as it alone tells them. */
interface MessageFacts {
  readonly spoken: Spoken;
  readonly calls: readonly CallFacts[];
  readonly errors: readonly string[];
  readonly status: number | undefined;
  /** The steps left after this message; undefined where it says nothing of them. */
  readonly nextSteps: readonly string[] | undefined;
  /** What a summary carries on from earlier messages. */
  readonly earlier: Ledger | undefined;
}

/** Kept as long as the message: most messages are looked at again at every compaction. */
const known = new WeakMap<Message, MessageFacts>();

/**
 * The facts of messages, from structured fields where there are any. Ledgers that summaries carry are taken over; the
 * text of a summary is nobody's request and no rule.
 */
export function extractLedger(messages: readonly Message[]): Ledger {
  const facts = messages.map(factsOf);
  const callOf = callsByResult(messages);
  const statusOf = new Map<ToolCall | undefined, number | undefined>();
  for (const [index, { id }] of messages.entries()) statusOf.set(callOf.get(id), facts[index]?.status);
  let earlier = emptyLedger;
  const spoken: Spoken[] = [];
  const touched = { filesModified: [] as string[], filesRead: [] as string[], identifiers: [] as string[] };
  const commands: CommandFact[] = [];
  let nextSteps: readonly string[] = [];
  for (const [index, fact] of facts.entries()) {
    if (fact.earlier !== undefined) {
      earlier = mergeLedgers(earlier, fact.earlier);
      spoken.push(...spokenInLedger(fact.earlier));
      if (fact.earlier.nextSteps.length > 0) ({ nextSteps } = fact.earlier);
    }
    spoken.push(fact.spoken);
    nextSteps = fact.nextSteps ?? nextSteps;
    for (const [position, call] of fact.calls.entries()) {
      touched.filesModified.push(...call.filesModified);
      touched.filesRead.push(...call.filesRead);
      touched.identifiers.push(...call.identifiers);
      const status = statusOf.get(messages[index]?.tool_calls?.[position]);
      commands.push(
        ...call.commands.map((command) => (status === undefined ? { command } : { command, status })),
      );
    }
  }
  const said = spokenFacts(spoken);
  const found: Ledger = {
    ...said,
    filesModified: touched.filesModified,
    filesRead: touched.filesRead,
    identifiers: touched.identifiers,
    commands,
    errors: openErrors(reportsOf(messages, facts, callOf)),
    nextSteps,
  };
  // What was said is sorted anew as a whole; of everything else the earlier facts come first.
  const rest: Ledger = { ...earlier, requests: [], decisions: [], choices: [], constraints: [], values: [] };
  return mergeLedgers(rest, { ...found, requests: lastMet([], found.requests) });
}

function reportsOf(
  messages: readonly Message[],
  facts: readonly MessageFacts[],
  callOf: ReadonlyMap<string, ToolCall>,
): readonly ErrorReport[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'tool') return [];
    const call = callOf.get(message.id);
    const { errors, status } = facts[index]!;
    const tool = call?.function.name ?? message.name ?? 'tool';
    return [
      { call, tool, errors, failed: message.isError === true || (status !== undefined && status !== 0) },
    ];
  });
}

function factsOf(message: Message): MessageFacts {
  const facts = known.get(message) ?? read(message);
  known.set(message, facts);
  return facts;
}

function read(message: Message): MessageFacts {
  const text = typedText(message);
  const isTool = message.role === 'tool';
  const calls = message.tool_calls ?? [];
  const plan = calls.map(openStepsOf).findLast((steps) => steps !== undefined);
  const announced = announcedSteps(message);
  return {
    spoken: spokenIn(message),
    calls: calls.map(factsOfCall),
    errors: isTool ? errorsIn(text) : [],
    status: isTool ? exitStatusIn(text) : undefined,
    nextSteps: plan ?? (announced.length > 0 ? announced : undefined),
    earlier: message.kind === 'summary' ? message.carried?.ledger : undefined,
  };
}
