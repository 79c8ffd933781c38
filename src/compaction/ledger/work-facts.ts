import {
  type CommandFact,
  emptyLedger,
  type ErrorFact,
  type Ledger,
  mergeWork,
  type NotRunFact,
  wholeLedger,
  type WorkSections,
} from '../messages/ledger.ts';
import type { Message, ToolCall } from '../messages/message.ts';
import { remembered, rememberedList } from '../messages/remembered.ts';
import { callEnds, type EndedCall, endOfResult, hasBegun } from './call-ends.ts';
import { factsOfCall, noFacts } from './call-facts.ts';
import { calledFunction } from './called-function.ts';
import { isLookup } from './lookups.ts';
import { errorsOf } from './result-facts.ts';

/** The facts of calls and their results, and those of earlier ones that summaries carry on. */
export const workFacts: (messages: readonly Message[]) => WorkSections = rememberedList((messages) => {
  const ends = callEnds(messages);
  let earlier: WorkSections = emptyLedger;
  const filesModified: string[] = [];
  const filesRead: string[] = [];
  const identifiers: string[] = [];
  const commands: CommandFact[] = [];
  const notRun = new Map<string, NotRunFact>();
  for (const message of messages) {
    const carried = carriedBy(message);
    if (carried !== undefined) earlier = mergeWork(earlier, carried);
    for (const call of message.tool_calls ?? []) {
      const ended = ends.get(call)!;
      for (const fact of notDoneBy(call, ended)) notRun.set(fact.text, fact);
      const done = doneBy(call, ended);
      for (const text of [...done.filesModified, ...done.commands]) notRun.delete(text);
      filesModified.push(...done.filesModified);
      filesRead.push(...done.filesRead);
      identifiers.push(...done.identifiers);
      commands.push(...done.commands.map((command) => commandFact(command, ended)));
    }
  }
  const found = { filesModified, filesRead, identifiers, commands, notRun: [...notRun.values()] };
  return mergeWork(earlier, { ...found, errors: openErrors(reportsIn(messages)) });
});

/**
 * Facts of a call. A failed call changed no file and, unless it is a command, read none. For a call without a result,
 * only the files it names are known.
 */
function doneBy(call: ToolCall, { end }: EndedCall): ReturnType<typeof factsOfCall> {
  const facts = factsOfCall(call);
  if (end === 'unanswered' || end === 'pending') {
    return {
      ...facts,
      filesModified: [],
      filesRead: [...facts.filesRead, ...facts.filesModified],
      commands: [],
    };
  }
  if (!hasBegun(end)) return noFacts;
  if (end === 'ran' || end === 'running') return facts;
  return { ...facts, filesModified: [], filesRead: facts.commands.length > 0 ? facts.filesRead : [] };
}

function notDoneBy(call: ToolCall, { end }: EndedCall): readonly NotRunFact[] {
  if (hasBegun(end)) return [];
  const { commands, filesModified } = factsOfCall(call);
  return commands.length > 0
    ? commands.map((text) => ({ text, what: 'command', end }))
    : end === 'skipped'
      ? []
      : filesModified.map((text) => ({ text, what: 'edit', end }));
}

function commandFact(command: string, { end, status }: EndedCall): CommandFact {
  const isTold = end === 'ran' || (end === 'failed' && status !== undefined && status !== 0);
  return {
    command,
    ...(status !== undefined && { status }),
    ...(!isTold && hasBegun(end) && { end }),
  };
}

/** Texts of facts by their kind. A file is one fact, whether it was read or changed. */
export type WorkTexts = Readonly<
  Record<'files' | 'commands' | 'errors' | 'identifiers', ReadonlySet<string>>
>;

/** The texts of the facts that `workFacts` finds, without their order. */
export function workTexts(messages: readonly Message[]): WorkTexts {
  const files = new Set<string>();
  const commands = new Set<string>();
  const errors = errorTexts(messages);
  const identifiers = new Set<string>();
  const ends = callEnds(messages);
  const add = (work: Pick<WorkSections, 'filesModified' | 'filesRead' | 'identifiers'>) => {
    for (const file of work.filesModified) files.add(file);
    for (const file of work.filesRead) files.add(file);
    for (const identifier of work.identifiers) identifiers.add(identifier);
  };
  for (const message of messages) {
    const carried = carriedBy(message);
    if (carried !== undefined) {
      add(carried);
      for (const { command } of carried.commands) commands.add(command);
    }
    for (const call of message.tool_calls ?? []) {
      const done = doneBy(call, ends.get(call)!);
      add(done);
      for (const command of done.commands) commands.add(command);
    }
  }
  return { files, commands, errors, identifiers };
}

/** The errors among them. */
export function errorTexts(messages: readonly Message[]): Set<string> {
  const errors = new Set(openErrors(reportsIn(messages)).map(({ text }) => text));
  for (const message of messages) for (const { text } of carriedBy(message)?.errors ?? []) errors.add(text);
  return errors;
}

/** Facts of earlier messages that a summary carries on. */
function carriedBy({ kind, carried }: Message): Ledger | undefined {
  const ledger = kind === 'summary' ? carried?.ledger : undefined;
  return ledger && wholeLedger(ledger);
}

/** Reports of results, in order. The result of a call that did not run reports nothing. */
function reportsIn(messages: readonly Message[]): readonly ErrorReport[] {
  const calls = new Map([...callEnds(messages)].map(([call, ended]) => [ended.result, { call, ...ended }]));
  return messages.flatMap((message): ErrorReport | readonly [] => {
    if (message.role !== 'tool') return [];
    const { call, end } = calls.get(message) ?? { call: undefined, end: endOfResult(message) };
    if (!hasBegun(end) || (call !== undefined && isLookup(calledFunction(call.function).name))) return [];
    const tool = call?.function.name ?? message.name ?? 'tool';
    return { call, tool, errors: errorsOf(message), failed: end === 'failed' || end === 'cancelled' };
  });
}

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
    if (errors.length === 0) return;
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
