import { callsByResult } from '../messages/exchange.ts';
import {
  type CommandFact,
  emptyLedger,
  type ErrorFact,
  type Ledger,
  mergeWork,
  type WorkSections,
} from '../messages/ledger.ts';
import { type Message, type ToolCall, typedText } from '../messages/message.ts';
import { remembered, rememberedList } from '../messages/remembered.ts';
import { factsOfCall } from './call-facts.ts';
import { calledFunction } from './called-function.ts';
import { isLookup } from './lookups.ts';
import { errorsOf, exitStatusIn } from './result-facts.ts';

/** The facts of calls and their results, and those of earlier ones that summaries carry on. */
export const workFacts: (messages: readonly Message[]) => WorkSections = rememberedList((messages) => {
  const { reports, statusOf } = reportsIn(messages);
  let earlier: WorkSections = emptyLedger;
  const filesModified: string[] = [];
  const filesRead: string[] = [];
  const identifiers: string[] = [];
  const commands: CommandFact[] = [];
  for (const message of messages) {
    const carried = carriedBy(message);
    if (carried !== undefined) earlier = mergeWork(earlier, carried);
    for (const call of message.tool_calls ?? []) {
      const facts = factsOfCall(call);
      filesModified.push(...facts.filesModified);
      filesRead.push(...facts.filesRead);
      identifiers.push(...facts.identifiers);
      const status = statusOf.get(call);
      for (const command of facts.commands) {
        commands.push(status === undefined ? { command } : { command, status });
      }
    }
  }
  const errors = openErrors(reports);
  return mergeWork(earlier, { filesModified, filesRead, identifiers, commands, errors });
});

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
      const facts = factsOfCall(call);
      add(facts);
      for (const command of facts.commands) commands.add(command);
    }
  }
  return { files, commands, errors, identifiers };
}

/** The errors among them. */
export function errorTexts(messages: readonly Message[]): Set<string> {
  const errors = new Set(openErrors(reportsIn(messages).reports).map(({ text }) => text));
  for (const message of messages) for (const { text } of carriedBy(message)?.errors ?? []) errors.add(text);
  return errors;
}

/** Facts of earlier messages that a summary carries on. */
function carriedBy({ kind, carried }: Message): Ledger | undefined {
  return kind === 'summary' ? carried?.ledger : undefined;
}

/** Errors of the results of calls, and the exit statuses of calls. */
function reportsIn(messages: readonly Message[]) {
  const callOf = callsByResult(messages);
  const statusOf = new Map<ToolCall, number>();
  const reports: ErrorReport[] = [];
  for (const message of messages) {
    if (message.role !== 'tool') continue;
    const call = callOf.get(message.id);
    if (call !== undefined && isLookup(calledFunction(call.function).name)) continue;
    const status = statusIn(message);
    if (call !== undefined && status !== undefined) statusOf.set(call, status);
    const tool = call?.function.name ?? message.name ?? 'tool';
    const failed = message.isError === true || (status !== undefined && status !== 0);
    reports.push({ call, tool, errors: errorsOf(message), failed });
  }
  return { reports, statusOf };
}

const statusIn = remembered((result: Message): number | undefined => exitStatusIn(typedText(result)));

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
