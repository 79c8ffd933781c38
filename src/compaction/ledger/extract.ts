import { callsByResult } from '../messages/exchange.ts';
import {
  type CommandFact,
  emptyLedger,
  type ErrorFact,
  lastMet,
  type Ledger,
  mergeLedgers,
} from '../messages/ledger.ts';
import { type Message, type ToolCall, typedText } from '../messages/message.ts';
import { remembered, rememberedList } from '../messages/remembered.ts';
import { type CallFacts, factsOfCall } from './call-facts.ts';
import { errorsOf, exitStatusIn } from './result-facts.ts';
import {
  announcedSteps,
  openStepsOf,
  type Spoken,
  spokenFacts,
  spokenIn,
  spokenInLedger,
} from './spoken-facts.ts';

/** The facts of one message, as far as it alone tells them. */
interface MessageFacts {
  readonly spoken: Spoken;
  readonly calls: readonly CallFacts[];
  readonly errors: readonly string[];
  readonly status: number | undefined;
  /** The steps left after this message; undefined if it says nothing of them. */
  readonly nextSteps: readonly string[] | undefined;
  /** Facts that a summary carries on from earlier messages. */
  readonly earlier: { readonly ledger: Ledger; readonly spoken: readonly Spoken[] } | undefined;
}

/**
 * The facts of messages, from structured fields if there are any. Ledgers that summaries carry are taken over; the
 * text of a summary is neither a request nor a rule.
 */
export const extractLedger: (messages: readonly Message[]) => Ledger = rememberedList((messages) => {
  const facts = messages.map(factsOf);
  const callOf = callsByResult(messages);
  const statusOf = new Map<ToolCall | undefined, number | undefined>();
  for (const [index, { id, role }] of messages.entries()) {
    if (role === 'tool') statusOf.set(callOf.get(id), facts[index]?.status);
  }
  let earlier = emptyLedger;
  const spoken: Spoken[] = [];
  const touched = { filesModified: [] as string[], filesRead: [] as string[], identifiers: [] as string[] };
  const commands: CommandFact[] = [];
  let nextSteps: readonly string[] = [];
  for (const [index, fact] of facts.entries()) {
    if (fact.earlier !== undefined) {
      const { ledger } = fact.earlier;
      earlier = mergeLedgers(earlier, ledger);
      spoken.push(...fact.earlier.spoken);
      if (ledger.nextSteps.length > 0) ({ nextSteps } = ledger);
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
  // What was said is sorted again as a whole; of everything else the earlier facts come first.
  const rest: Ledger = { ...earlier, requests: [], decisions: [], choices: [], constraints: [], values: [] };
  return mergeLedgers(rest, { ...found, requests: lastMet([], found.requests) });
});

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

const factsOf = remembered((message: Message): MessageFacts => {
  const isTool = message.role === 'tool';
  const calls = message.tool_calls ?? [];
  const plan = calls.map(openStepsOf).findLast((steps) => steps !== undefined);
  const announced = announcedSteps(message);
  const ledger = message.kind === 'summary' ? message.carried?.ledger : undefined;
  return {
    spoken: spokenIn(message),
    calls: calls.map(factsOfCall),
    errors: isTool ? errorsOf(message) : [],
    status: isTool ? exitStatusIn(typedText(message)) : undefined,
    nextSteps: plan ?? (announced.length > 0 ? announced : undefined),
    earlier: ledger === undefined ? undefined : { ledger, spoken: spokenInLedger(ledger) },
  };
});

/** Errors of one tool result, with the call that it answers. */
export interface ErrorReport {
  readonly call: ToolCall | undefined;
  /** Name of the tool. */
  readonly tool: string;
  /** Empty if nothing did. */
  readonly errors: readonly string[];
  readonly failed: boolean;
}

/**
 * The errors that are still open: a line is resolved when the same was done again later and it did not come back. The
 * same is the same command line, or the same tool with the same file or search.
 *
 * @param reports of all results, in their order
 * @returns each line once, in the order in which it was last met
 */
function openErrors(reports: readonly ErrorReport[]): readonly ErrorFact[] {
  const newestRun = new Map<string, number>();
  reports.forEach(({ call }, index) => {
    for (const key of keysOf(call)) newestRun.set(key, index);
  });
  const open = new Map<string, ErrorFact>();
  reports.forEach(({ call, tool, errors }, index) => {
    const later = keysOf(call)
      .map((key) => newestRun.get(key) ?? index)
      .filter((run) => run > index)
      .map((run) => reports[run]!);
    for (const error of errors) {
      if (later.some((report) => !report.errors.includes(error) && !isCutShort(report))) continue;
      open.delete(error);
      open.set(error, { text: error, tool });
    }
  });
  return [...open.values()];
}

/** A run that failed without saying how may have failed in the same way. */
function isCutShort({ failed, errors }: ErrorReport): boolean {
  return failed && errors.length === 0;
}

/** Names under which runs of a call are the same. */
const keysOfCall = remembered((call: ToolCall): readonly string[] => {
  const { commands, filesModified, filesRead, identifiers, searched } = factsOfCall(call);
  if (commands.length > 0) return commands;
  return [...filesModified, ...filesRead, ...identifiers, ...searched].map(
    (name) => `${call.function.name}\n${name}`,
  );
});

function keysOf(call: ToolCall | undefined): readonly string[] {
  return call === undefined ? [] : keysOfCall(call);
}
