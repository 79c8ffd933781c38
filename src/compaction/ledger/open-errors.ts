import type { ErrorFact } from '../messages/ledger.ts';
import { type Message, type ToolCall, typedText } from '../messages/message.ts';
import { remembered } from '../messages/remembered.ts';
import { startsAgent } from './awaited.ts';
import { askedSession, startedSession } from './background-session.ts';
import { callEnds, endOfResult, type EndedCall, hasBegun } from './call-ends.ts';
import { factsOfCall, factText } from './call-facts.ts';
import { calledFunction } from './called-function.ts';
import { checkRuns } from './check-results.ts';
import { coversRun, folderAt, type NamedRun, sameRun } from './checks.ts';
import { isLookup } from './lookups.ts';
import { errorsOf, namesError } from './result-facts.ts';
import { innerWords, shellSteps } from './shell-steps.ts';

/** The programs that a call runs, and which part of their output it takes. */
interface CallRuns {
  readonly runs: readonly NamedRun[];
  /** Programs that its output passes through; two runs show the same only through the same ones. */
  readonly filter: string;
  /** The first of them as it was called; undefined for a call that runs no command. */
  readonly command: string | undefined;
}

/** Errors of one tool result, with the call that it answers. */
interface ErrorReport extends CallRuns {
  /** Name of the tool. */
  readonly tool: string;
  readonly errors: readonly string[];
  readonly failed: boolean;
}

interface OpenError {
  readonly fact: ErrorFact;
  readonly filter: string;
  /** Programs that have to run without it; none if it is unknown which printed it. */
  readonly left: readonly NamedRun[];
}

/**
 * The errors that are still open. One belongs to the programs of the command line that printed it, and ends when they
 * ran again without it: the same programs with the same targets, whatever their other options. An error of another tool
 * belongs to the file or the id that it was called with.
 *
 * @param messages also with summaries that carry errors on
 * @returns each line once, in the order in which it was last met
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
      const left =
        fact.command === undefined ? [] : [{ key: sameRun(fact.command.split(' ')), folder: undefined }];
      if (!open.has(fact.text)) open.set(fact.text, { fact, filter: '', left });
    }
    const report = message.role === 'tool' ? reportOf(message, answered.get(message), background) : undefined;
    if (report !== undefined) update(open, report);
  }
  return [...open.values()].map(({ fact }) => fact);
}

function update(open: Map<string, OpenError>, report: ErrorReport): void {
  const { runs, filter, command, tool, errors, failed } = report;
  const printed = new Set(errors);
  for (const [text, error] of open) {
    if (error.left.length === 0 || printed.has(text)) continue;
    // A run that failed without a reason may have failed in the same way; another filter may have left the line out.
    const isTold = errors.length === 0 ? !failed : filter === error.filter;
    if (!isTold) continue;
    const left = error.left.filter((earlier) => !runs.some((run) => coversRun(run, earlier)));
    if (left.length === 0) open.delete(text);
    else if (left.length < error.left.length) open.set(text, { ...error, left });
  }
  for (const text of errors) {
    open.delete(text);
    open.set(text, { fact: { text, tool, ...(command !== undefined && { command }) }, filter, left: runs });
  }
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
  const tool = call?.function.name ?? message.name ?? 'tool';
  const name = call === undefined ? tool : calledFunction(call.function).name;
  if (isLookup(name) || startsAgent(name)) return undefined;
  const more = call === undefined ? undefined : background.get(askedSession(call) ?? '');
  const own = more ?? (call === undefined ? undefined : runsOfCall(call));
  if (own === undefined) {
    const errors = failed || beginsWithError(message) ? errorsIn(message) : [];
    return { runs: [], filter: '', command: undefined, tool, errors, failed };
  }
  const started = startedSession(message);
  if (started !== undefined) background.set(started, own);
  if (own.command === undefined) {
    // Of a tool that is no shell, the result is an error or none: all else is text that it read.
    const isError = failed || (readsFiles(call!) ? isOneError(message) : beginsWithError(message));
    return { ...own, tool, errors: isError ? errorsIn(message) : [], failed };
  }
  if (own.runs.length === 0) return undefined;
  const isPassed = call !== undefined && more === undefined && hasPassed(call, answered!);
  return { ...own, tool, errors: isPassed ? [] : errorsIn(message), failed: failed && !isPassed };
}

/** Of a result, the part in which its first line is looked for, in UTF-16 units. */
const searchedCharacters = 5_000;

/** Checks that passed may print errors on their way. */
function hasPassed(call: ToolCall, { end, status, result }: EndedCall): boolean {
  const output = result === undefined ? '' : typedText(result);
  const runs = factsOfCall(call).commands.flatMap((script) =>
    checkRuns({ script, end, status, output, errors: () => [] }),
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

/** Programs that only show text, or do small things: what they print is text of others. */
const showing: ReadonlySet<string> = new Set(
  'cat head tail less more sed awk grep egrep fgrep rg ag find fd ls tree nl wc sort uniq cut tr jq yq diff stat file echo printf cd pwd pushd popd export set source . true test which type command env date sleep xxd strings column tee xargs view open'.split(
    ' ',
  ),
);
const showingGit: ReadonlySet<string> = new Set(
  'status diff log show blame grep ls-files ls-tree branch remote rev-parse config shortlog describe cat-file reflog'.split(
    ' ',
  ),
);

const runsOfCall = remembered((call: ToolCall): CallRuns => {
  const { commands: scripts, filesModified, filesRead, identifiers, searched } = factsOfCall(call);
  if (scripts.length === 0) {
    const names = [...filesModified, ...filesRead, ...identifiers, ...searched];
    const runs = names.map((name) => ({ key: `${call.function.name}\n${name}`, folder: undefined }));
    return { runs, filter: '', command: undefined };
  }
  const runs: NamedRun[] = [];
  const filters: string[] = [];
  const commands: string[] = [];
  for (const script of scripts) {
    const steps = shellSteps(script);
    if (steps === undefined) {
      runs.push({ key: script, folder: undefined });
      commands.push(script);
    }
    steps?.forEach(({ words, after }, index) => {
      if (after === '|') filters.push(words.join(' '));
      else if (!isShowing(words)) {
        runs.push({ key: sameRun(words), folder: folderAt(steps, index) });
        commands.push(innerWords(words).join(' '));
      }
    });
  }
  return { runs, filter: filters.join(' | '), command: factText(commands[0] ?? scripts[0]!) };
});

function isShowing(words: readonly string[]): boolean {
  const [program = '', subcommand = ''] = innerWords(words);
  return showing.has(program) || (program === 'git' && showingGit.has(subcommand));
}
