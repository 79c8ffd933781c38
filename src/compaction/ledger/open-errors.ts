import type { ErrorFact } from '../messages/ledger.ts';
import { type Message, type ToolCall, typedText } from '../messages/message.ts';
import { remembered } from '../messages/remembered.ts';
import type { CheckKind } from '../messages/where-it-stands.ts';
import { askedSession, startedSession, startsAgent } from './awaited.ts';
import { callEnds, endOfResult, type EndedCall, hasBegun } from './call-ends.ts';
import { factsOfCall } from './call-facts.ts';
import { calledFunction } from './called-function.ts';
import { checkRuns } from './check-results.ts';
import { coversRun } from './checks.ts';
import { type CallRuns, type ErrorRun, isTrial, runOf, runsOfCall } from './error-runs.ts';
import { hasCommitted } from './git-steps.ts';
import { isLookup } from './lookups.ts';
import { errorsOf, namesError } from './result-facts.ts';

/** Errors of one tool result, with the call that it answers. */
interface ErrorReport extends CallRuns {
  /** Name of the tool. */
  readonly tool: string;
  readonly errors: readonly string[];
  readonly end: 'ran' | 'failed' | 'going on';
  readonly hasCommitted: boolean;
}

interface OpenError {
  readonly fact: ErrorFact;
  /** Programs that have to run without it; none if it is unknown which printed it. */
  readonly left: readonly ErrorRun[];
  /** True if no other program ran since. */
  readonly isNewest: boolean;
}

/**
 * The errors that are still open, one for each output that named some. It belongs to the programs of the command line
 * that printed it, and ends when they ran again without it: the same program with the same targets, or another check of
 * the same kind in the same folder. What a compiler, a linter or git reported ends with a commit, too. An error of
 * another tool belongs to the file or the id that it was called with.
 *
 * @param messages also with summaries that carry errors on
 * @returns each first line once, in the order in which it was last met
 */
export function openErrors(messages: readonly Message[]): readonly ErrorFact[] {
  const answered = new Map(
    [...callEnds(messages)].map(([call, ended]) => [ended.result, { call, ...ended }]),
  );
  const open = new Map<string, OpenError>();
  /** Runs in the background, by the id under which more of their output is asked for. */
  const background = new Map<string, CallRuns>();
  for (const message of messages) {
    for (const fact of carriedErrors(message)) {
      const words = fact.command?.split(' ');
      const left = words === undefined ? [] : [runOf(words, undefined)];
      if (!open.has(fact.text)) open.set(fact.text, { fact, left, isNewest: false });
    }
    const report = message.role === 'tool' ? reportOf(message, answered.get(message), background) : undefined;
    if (report !== undefined) update(open, report);
  }
  return [...open.values()].map(({ fact }) => fact);
}

function update(open: Map<string, OpenError>, report: ErrorReport): void {
  const { runs, command, tool, errors } = report;
  for (const [text, error] of open) {
    const left = error.left.filter((earlier) => !isOverWith(report, earlier, error));
    if (errors.includes(text) || (left.length === 0 && error.left.length > 0)) open.delete(text);
    else open.set(text, { ...error, left, isNewest: error.isNewest && runs.length === 0 });
  }
  const [text, ...more] = new Set(errors);
  if (text === undefined) return;
  const fact = {
    text,
    ...(more.length > 0 && { more: more.length }),
    tool,
    ...(command !== undefined && { command }),
  };
  open.set(text, { fact, left: runs, isNewest: true });
}

/** Checks that tell whether code can be compiled. */
const compiling: ReadonlySet<string | undefined> = new Set<CheckKind>(['build', 'typecheck']);

/** `zsh:1: command not found: go`, `bash: line 1: go: command not found`. */
function missingProgram(line: string): string | undefined {
  const [before = '', after = ''] = line.split(/command not found/iu, 2);
  return after.startsWith(': ') ? after.slice(2).trim() : before.split(': ').at(-2)?.trim();
}

/** True if the first folder is the second one or holds it, as far as both are told from the same place. */
function isSameFolder(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  if (one.startsWith('/') !== other.startsWith('/')) return true;
  return other === one || other.startsWith(`${one.replace(/\/$/u, '')}/`);
}

function isOverWith(report: ErrorReport, earlier: ErrorRun, { fact, isNewest }: OpenError): boolean {
  const { runs, errors, end, isPiped, hasCommitted } = report;
  const isCheck = earlier.kind !== undefined && earlier.kind !== 'test';
  if (hasCommitted && (isCheck || earlier.program.startsWith('git '))) return true;
  // A run that failed without a reason may have failed in the same way.
  const isClean = errors.length === 0 && (end === 'ran' || (end === 'failed' && isPiped));
  if (!isClean && errors.length === 0) return false;
  const missing = /command not found/iu.test(fact.text) ? missingProgram(fact.text) : undefined;
  return runs.some((run) => {
    if (coversRun(run, earlier)) return true;
    if (earlier.kind === undefined) {
      // What is done in another way right away was a slip.
      return (isClean && run.program === missing) || (isNewest && run.program === earlier.program);
    }
    const isSameKind =
      run.kind === earlier.kind ||
      (compiling.has(run.kind) && compiling.has(earlier.kind)) ||
      (run.kind === 'check' && isCheck && isClean);
    return isSameKind && isSameFolder(run.folder, earlier.folder);
  });
}

function carriedErrors({ kind, carried }: Message): readonly ErrorFact[] {
  return kind === 'summary' ? (carried?.ledger?.errors ?? []) : [];
}

/** @returns undefined for a result that says nothing of errors: of a call that did not run, that only looks, or of another agent */
function reportOf(
  message: Message,
  answered: (EndedCall & { readonly call: ToolCall }) | undefined,
  background: Map<string, CallRuns>,
): ErrorReport | undefined {
  const { call, end } = answered ?? { call: undefined, end: endOfResult(message) };
  if (!hasBegun(end)) return undefined;
  const failed = end === 'failed' || end === 'cancelled';
  const started = startedSession(message);
  const isGoingOn = end === 'running' || started !== undefined;
  const told = {
    end: isGoingOn ? ('going on' as const) : failed ? ('failed' as const) : ('ran' as const),
    hasCommitted: call !== undefined && commits(call, message, answered!),
  };
  const tool = call?.function.name ?? message.name ?? 'tool';
  const name = call === undefined ? tool : calledFunction(call.function).name;
  if (isLookup(name) || startsAgent(name)) return undefined;
  const more = call === undefined ? undefined : background.get(askedSession(call) ?? '');
  const own = more ?? (call === undefined ? undefined : runsOfCall(call));
  if (own === undefined) {
    const errors = failed || beginsWithError(message) ? errorsIn(message) : [];
    return { runs: [], isPiped: false, command: undefined, tool, errors, ...told };
  }
  if (started !== undefined) background.set(started, own);
  if (own.command === undefined) {
    // Of a tool that is no shell, the result is an error or none: all else is text that it read.
    const isError = failed || (readsFiles(call!) ? isOneError(message) : beginsWithError(message));
    return { ...own, tool, errors: isError ? errorsIn(message) : [], ...told };
  }
  if (own.runs.length === 0) return undefined;
  const isOwn = more === undefined && started === undefined;
  const isPassed = call !== undefined && isOwn && hasPassed(call, answered!);
  const errors = isPassed || isTrial(own.runs, call) ? [] : errorsIn(message);
  return { ...own, tool, errors, ...told, ...(isPassed && { end: 'ran' as const }) };
}

function commits(call: ToolCall, result: Message, { end, status }: EndedCall): boolean {
  const output = typedText(result);
  return factsOfCall(call).commands.some((script) =>
    hasCommitted({ script, folder: undefined, end, status, output }),
  );
}

/** Of a result, the part in which its first line is looked for, in UTF-16 units. */
const searchedCharacters = 5_000;

/** Checks that passed may print errors on their way. */
function hasPassed(call: ToolCall, { end, status, result }: EndedCall): boolean {
  const output = result === undefined ? '' : typedText(result);
  const runs = factsOfCall(call).commands.flatMap((script) =>
    checkRuns({ script, end, status, output, errors: () => (result === undefined ? [] : errorsIn(result)) }),
  );
  return (
    runs.length > 0 &&
    runs.every(({ result }) => result === 'passed') &&
    runsOfCall(call).runs.length === runs.length
  );
}

function readsFiles(call: ToolCall): boolean {
  const { filesRead, filesModified } = factsOfCall(call);
  return filesRead.length > 0 && filesModified.length === 0;
}

/** Lines that come with an error and say nothing of it: heads of stacks, ends of packages, how a program is called. */
const frame =
  /^(?:Traceback \(most recent call last\)|at |FAIL\s+\S+\s+(?:[\d.]+s|\[[^\]]*\])$|FAIL$|FAILED$|(?:error|fatal): usage:)/iu;

const errorsIn = remembered((result: Message): readonly string[] =>
  errorsOf(result).filter((line) => !frame.test(line)),
);

const beginsWithError = remembered((result: Message): boolean => {
  const [first = ''] = typedText(result).slice(0, searchedCharacters).trimStart().split('\n', 1);
  return namesError(first);
});

/** Not every format marks what failed; a file of one line that names an error is rare. */
const isOneError = (result: Message): boolean =>
  beginsWithError(result) && !typedText(result).trim().includes('\n');
