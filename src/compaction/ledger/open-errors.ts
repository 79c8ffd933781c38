import { factsOfCall } from './call-facts.ts';
import type { ToolCall } from '../message.ts';
import type { ErrorFact } from './ledger.ts';

/** What one tool result says went wrong, with the call that it answers. */
export interface ErrorReport {
  readonly call: ToolCall | undefined;
  /** Name of the tool. */
  readonly tool: string;
  /** Empty where nothing did. */
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
export function openErrors(reports: readonly ErrorReport[]): readonly ErrorFact[] {
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

const known = new WeakMap<ToolCall, readonly string[]>();

function keysOf(call: ToolCall | undefined): readonly string[] {
  if (call === undefined) return [];
  const seen = known.get(call);
  if (seen !== undefined) return seen;
  const { commands, filesModified, filesRead, identifiers } = factsOfCall(call);
  const keys =
    commands.length > 0
      ? commands
      : [...filesModified, ...filesRead, ...identifiers].map((name) => `${call.function.name}\n${name}`);
  known.set(call, keys);
  return keys;
}
