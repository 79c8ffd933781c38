import type { ErrorFact } from '../messages/ledger.ts';
import type { Message, ToolCall } from '../messages/message.ts';
import { remembered } from '../messages/remembered.ts';
import { callEnds, endOfResult, hasBegun } from './call-ends.ts';
import { factsOfCall } from './call-facts.ts';
import { calledFunction } from './called-function.ts';
import { isLookup } from './lookups.ts';
import { errorsOf } from './result-facts.ts';

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
interface ErrorReport {
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
 * @returns each line once, in the order in which it was last met
 */
export function openErrors(messages: readonly Message[]): readonly ErrorFact[] {
  const reports = reportsIn(messages);
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
