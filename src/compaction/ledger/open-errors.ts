import type { ErrorFact } from '../messages/ledger.ts';
import { type Message, type ToolCall, typedText } from '../messages/message.ts';
import { memoised } from '../messages/memoise.ts';
import type { CheckKind } from '../messages/where-it-stands.ts';
import { aiderReport } from './aider-reports.ts';
import { askedSession, startedSession, startsAgent } from './awaited.ts';
import { callEnds, endOfResult, type EndedCall, hasBegun } from './call-ends.ts';
import { factsOfCall, factText } from './call-facts.ts';
import { calledFunction } from './called-function.ts';
import { checkRuns } from './check-results.ts';
import {
  checkKindOf,
  coversCheck,
  coversRun,
  folderAt,
  holdsFolder,
  type NamedRun,
  sameRun,
} from './checks.ts';
import { hasCommitted, hasContinued } from './git-steps.ts';
import { isLookup } from './lookups.ts';
import { looksAt } from './looking-commands.ts';
import { isThrowAway } from './path-words.ts';
import { errorsOf, namesError } from './result-facts.ts';
import { innerWords, possibleSteps, shellSteps } from './shell-steps.ts';

/** A program that a call runs. */
interface ErrorRun extends NamedRun {
  /** The program, with the subcommand if it is git; the name of the tool if the tool is not a shell. */
  readonly program: string;
  readonly kind: CheckKind | undefined;
}

/** Programs that a call runs, with facts about the call's output. */
interface CallRuns {
  readonly runs: readonly ErrorRun[];
  /** True if output went through another program, which set the status and may have removed lines. */
  readonly isPiped: boolean;
  /** The first program as called; undefined for a call without a command. */
  readonly command: string | undefined;
}

/** Errors of one tool result, with the programs of its call. */
interface ErrorReport extends CallRuns {
  /** Name of the tool. */
  readonly tool: string;
  readonly errors: readonly string[];
  /** True if the call ended without an error. */
  readonly isClean: boolean;
  readonly hasCommitted: boolean;
}

/** Errors of one output, with the programs whose success ends them. */
interface OpenErrors {
  readonly errors: readonly string[];
  readonly fact: ErrorFact;
  readonly left: readonly ErrorRun[];
}

/** Maximum number of errors listed from the newest output. */
const mostErrors = 10;

/**
 * Returns the errors that are still open: all errors of the newest output with errors, and the first error of
 * each earlier output. An error belongs to the programs that printed it, and ends when these programs run
 * again without it. An error of a check also ends with a run of the same kind, or a run that covers the
 * check. Errors of compilers, linters and git also end with a commit. An error of another tool ends with the
 * next call of that tool. All errors end when Aider undoes a commit.
 *
 * @param messages the messages, including summaries that carry errors
 * @returns each error once, in the order of last occurrence
 */
export function openErrors(messages: readonly Message[]): readonly ErrorFact[] {
  const answered = new Map(Array.from(callEnds(messages).values(), (ended) => [ended.result, ended]));
  const open = new Map<string, OpenErrors>();
  /** Background runs, by the id with which later calls request more of their output. */
  const background = new Map<string, CallRuns>();
  for (const message of messages) {
    for (const { text, ...fact } of carriedErrors(message)) {
      const words = fact.command?.split(' ');
      const left = words === undefined ? [] : [runOf(words, undefined)];
      if (!open.has(text)) open.set(text, { errors: [text], fact: { text, ...fact }, left });
    }
    if ((aiderReport(message)?.undone.length ?? 0) > 0) open.clear();
    const report = message.role === 'tool' ? reportOf(message, answered.get(message), background) : undefined;
    if (report !== undefined) update(open, report);
  }
  const all = [...open.values()];
  const newest = all.pop();
  if (newest === undefined) return [];
  const { more: _more, ...fact } = newest.fact;
  const facts = newest.errors.slice(0, mostErrors).map((text) => ({ ...fact, text }));
  return [...all.map((error) => error.fact), ...(facts.length > 1 ? facts : [newest.fact])];
}

function update(open: Map<string, OpenErrors>, report: ErrorReport): void {
  const { runs, command, tool } = report;
  const errors = [...new Set(report.errors)];
  for (const [text, error] of open) {
    const left = error.left.filter((earlier) => !isOverWith(report, earlier));
    if (errors.includes(text) || (left.length === 0 && error.left.length > 0)) open.delete(text);
    else open.set(text, { ...error, left });
  }
  const [text, ...more] = errors;
  if (text === undefined) return;
  const fact = {
    text,
    ...(more.length > 0 && { more: more.length }),
    tool,
    ...(command !== undefined && { command }),
  };
  open.set(text, { errors, fact, left: runs });
}

function isOverWith({ runs, errors, isClean, hasCommitted }: ErrorReport, earlier: ErrorRun): boolean {
  const { kind } = earlier;
  if (hasCommitted && ((kind !== undefined && kind !== 'test') || earlier.program.startsWith('git ')))
    return true;
  // A run that failed without naming an error may have failed because of the earlier error.
  if (!isClean && errors.length === 0) return false;
  return runs.some((run) => {
    if (coversRun(run, earlier)) return true;
    if (kind === undefined) return isClean && run.program === earlier.program;
    if (run.kind === kind) return holdsFolder(run.folder, earlier.folder);
    return isClean && run.kind !== undefined && coversCheck({ ...run, kind: run.kind }, { ...earlier, kind });
  });
}

function carriedErrors({ kind, carried }: Message): readonly ErrorFact[] {
  return kind === 'summary' ? (carried?.ledger?.errors ?? []) : [];
}

/**
 * @returns undefined if the result shows nothing about errors: the call did not run, only read, or started
 * another agent
 */
function reportOf(
  message: Message,
  answered: EndedCall | undefined,
  background: Map<string, CallRuns>,
): ErrorReport | undefined {
  const { call, end } = answered ?? { call: undefined, end: endOfResult(message) };
  if (!hasBegun(end)) return undefined;
  const hasFailed = end === 'failed' || end === 'cancelled';
  const started = startedSession(message);
  const isGoingOn = end === 'running' || started !== undefined;
  const tool = call?.function.name ?? message.name ?? 'tool';
  const name = call === undefined ? tool : calledFunction(call.function).name;
  if (isLookup(name) || startsAgent(name)) return undefined;
  const more = call === undefined ? undefined : background.get(askedSession(call) ?? '');
  const noRuns: CallRuns = { runs: [], isPiped: false, command: undefined };
  const own = more ?? (call === undefined ? noRuns : runsOfCall(call));
  if (started !== undefined) background.set(started, own);
  const told = (errors: readonly string[]): ErrorReport => ({
    ...own,
    tool,
    errors: errors.filter((line) => !frame.test(line)),
    isClean: errors.length === 0 && !isGoingOn && (!hasFailed || (end === 'failed' && own.isPiped)),
    hasCommitted: call !== undefined && commits(answered!),
  });
  if (own.command === undefined) {
    // For tools other than shells, only a whole result can be an error. Errors inside a longer result come
    // from text that the tool read.
    const facts = call && factsOfCall(call);
    const isReading = facts !== undefined && facts.filesRead.length > 0 && facts.filesModified.length === 0;
    const isError = hasFailed || (isReading ? isOneError : beginsWithError)(message);
    return told(isError ? errorsOf(message) : []);
  }
  if (own.runs.length === 0) return undefined;
  const isOwn = more === undefined && started === undefined;
  if (call !== undefined && isOwn && hasPassed(answered!)) return { ...told([]), isClean: true };
  return told(isTrial(own, call) ? [] : errorsOf(message));
}

const commits = memoised(({ call, end, status, result }: EndedCall): boolean => {
  const output = result === undefined ? '' : typedText(result);
  return factsOfCall(call).commands.some((script) => {
    const run = { script, folder: undefined, end, status, output };
    return hasCommitted(run) || hasContinued(run);
  });
});

/** True for a call whose checks all passed. Such checks may still print errors. */
const hasPassed = memoised(({ call, end, status, result }: EndedCall): boolean => {
  const output = result === undefined ? '' : typedText(result);
  const errors = () => (result === undefined ? [] : errorsOf(result));
  const runs = factsOfCall(call).commands.flatMap((script) =>
    checkRuns({ script, folder: undefined, end, status, output, errors }),
  );
  return (
    runs.length > 0 &&
    runs.every(({ result }) => result === 'passed') &&
    runsOfCall(call).runs.length === runs.length
  );
});

/**
 * Lines that are not open errors: stack headers, results of packages, usage texts, and mistakes in a command
 * line, after which an agent runs another command.
 */
const frame =
  /^(?:Traceback \(most recent call last\)|at |FAIL\s+\S+\s+(?:[\d.]+s|\[[^\]]*\])$|FAIL$|FAILED$|(?:error|fatal): usage:)|command not found(?:$|: )|: No such file or directory$/iu;

/** Maximum UTF-16 units at the start of a result that are searched for its first line. */
const searchedCharacters = 5_000;

const beginsWithError = memoised((result: Message): boolean => {
  const [first = ''] = typedText(result).slice(0, searchedCharacters).trimStart().split('\n', 1);
  return namesError(first);
});

/**
 * True for a result of one line that names an error. Some formats do not mark failures, and files with only
 * such a line are rare.
 */
const isOneError = (result: Message): boolean =>
  beginsWithError(result) && !typedText(result).trim().includes('\n');

/** Finds programs of a call that may print their own errors. The output of programs that only read is foreign text. */
const runsOfCall = memoised((call: ToolCall): CallRuns => {
  const { commands: scripts } = factsOfCall(call);
  const { name } = call.function;
  if (scripts.length === 0) {
    const run = { key: name, folder: undefined, program: name, kind: undefined };
    return { runs: [run], isPiped: false, command: undefined };
  }
  const runs: ErrorRun[] = [];
  const commands: string[] = [];
  let isPiped = false;
  for (const script of scripts) {
    const steps = shellSteps(script) ?? possibleSteps(script);
    if (steps === undefined) {
      const [program = ''] = script.trim().split(/\s/u, 1);
      runs.push({ key: script, folder: undefined, program, kind: undefined });
      commands.push(script);
    }
    steps?.forEach(({ words, after }, index) => {
      if (after === '|') isPiped = true;
      else if (!looksAt(words)) {
        runs.push(runOf(words, folderAt(steps, index)));
        commands.push(innerWords(words).join(' '));
      }
    });
  }
  return { runs, isPiped, command: factText(commands[0] ?? scripts[0]!) };
});

function runOf(words: readonly string[], folder: string | undefined): ErrorRun {
  const [name = '', subcommand = ''] = innerWords(words);
  const program = name === 'git' ? `git ${subcommand}` : name;
  return { key: sameRun(words), folder, program, kind: checkKindOf(words) };
}

/** True for a call that works in a temporary folder. For a check, only its folder matters. */
function isTrial(runs: CallRuns, call: ToolCall | undefined): boolean {
  return areTrials(runs) || (call !== undefined && isThrowAway(factsOfCall(call).folder ?? ''));
}

const areTrials = memoised(({ runs }: CallRuns): boolean => {
  if (runs.some(({ folder }) => folder !== undefined && isThrowAway(folder))) return true;
  return (
    runs.every(({ kind }) => kind === undefined) && runs.some(({ key }) => key.split(' ').some(isThrowAway))
  );
});
