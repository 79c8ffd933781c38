import type { CheckKind, CheckState } from '../messages/where-it-stands.ts';
import type { CallEnd } from './call-ends.ts';
import { factText } from './call-facts.ts';
import { checkKindOf, type CheckedRun, coversCheck, folderAt, sameRun } from './checks.ts';
import { hasCommitted } from './git-steps.ts';
import { isThrowAway } from './path-words.ts';
import { exitStatusIn } from './result-facts.ts';
import { innerWords, shellSteps, type ShellStep } from './shell-steps.ts';

/** A command line that ended or continues in the background. */
export interface RanScript {
  /** Command line as written. */
  readonly script: string;
  /** Folder that the call itself names. */
  readonly folder: string | undefined;
  readonly end: CallEnd;
  /** Exit status of the whole line, if known. */
  readonly status: number | undefined;
  readonly output: string;
  /** Lines of the output that name an error. */
  readonly errors: () => readonly string[];
}

/** A run of a check, with its result. */
type CheckRun = Omit<CheckState, 'at'>;
type Told = Pick<CheckRun, 'result' | 'line' | 'more'>;
/** Maximum number of lines quoted from a failed check. */
const mostLines = 10;

/** Whole lines by which common tools report that a check failed. */
const failure =
  /^(?:FAIL(?:ED)?\b.*|--- FAIL: .*|\s*Tests?:? .*\b[1-9]\d* failed\b.*|=+ .*\b[1-9]\d* (?:failed|errors?)\b.*|test result: FAILED.*|\s*Test Files .*\b[1-9]\d* failed\b.*|\s*[1-9]\d* failing|[1-9]\d* failed\b.*|# fail [1-9]\d*|not ok \d.*|[1-9]\d* examples?, [1-9]\d* failures?.*|BUILD FAIL(?:ED|URE).*|\[ERROR\] .*|Found [1-9]\d* errors?\b.*|✖ \d+ problems? \([1-9]\d* errors?.*|[1-9]\d* issues?[.:].*|error: could not compile .*|g?make(?:\[\d+\])?: \*\*\* .*|npm (?:ERR!|error) .*| ELIFECYCLE .*|FAILED \((?:failures|errors)=.*)$/u;
/** Whole lines by which common tools report that a check passed. */
const success =
  /^(?:\s*Tests?:? +(?:\d+ (?:skipped|todo)[,| ]+)*\d+ passed\b.*|=+ .*\b\d+ passed\b.*|\d+ passed\b.*|test result: ok\..*|\s*\d+ passing\b.*|# fail 0|OK(?: \(.*\))?|[1-9]\d* examples?, 0 failures.*|BUILD SUCCESS(?:FUL)?\b.*|\[INFO\] BUILD SUCCESS.*|0 issues\.?|PASS|✅ .*\bpassed\b.*|No issues found!|Found 0 errors.*|All checks passed!|All matched files use Prettier code style!|Success: no issues found.*|0 errors, .*|\s*Finished (?:`|dev|release|test).*|Checked \d+ files? in .* No fixes applied\.|Build succeeded\.?)$/u;
/** Lines of `go test`, one for each package. The last line, `FAIL`, means that at least one failed. */
const goPackage = /^ok\s+\S+\s+(?:[\d.]+s|\(cached\))/u;

/** Lines that only test runners write. They show the result of the tests if a command line ran several checks. */
const ofTests =
  /^(?:--- FAIL: |FAIL\b|ok\s+\S+\s+(?:[\d.]+s|\(cached\))|\s*Tests?:? |\s*Test Files |test result: |=+ .*\b(?:passed|failed)\b|\d+ (?:passed|failed)\b|\s*\d+ (?:passing|failing)\b|not ok |# fail )/u;

/** Lines that only linters write. */
const ofLinters = /^(?:\d+ issues?[.:]|✖ \d+ problems? \()/u;
/** Programs that report a failure at the end of their output. */
const announcing: ReadonlySet<string> = new Set(
  'go golangci-lint cargo make gmake mise pnpm mvn mvnw gradle gradlew'.split(' '),
);

/** Programs that print nothing if they find no fault. */
const silent: ReadonlySet<string> = new Set(
  'go tsc tsgo eslint flake8 gofmt goimports shellcheck javac gcc g++ cc clang rustc stylelint'.split(' '),
);
/** Programs whose output reveals nothing about a check in the same command line. */
const neutral: ReadonlySet<string> = new Set(
  'cd pushd popd export set source . echo printf mkdir rm cp mv touch sleep true date unset chmod ulimit wait kill pkill'.split(
    ' ',
  ),
);
/** Texts that agents write for an empty output. */
const noOutput = /^(?:\((?:no output|Bash completed with no output)\)|Tool ran without output.*)?$/iu;
/** Lines that Codex writes before the output. */
export const codexHeader = /^(?:Command: |Chunk ID: |Wall time: |Exit code: |Process )[^]*?\nOutput:\n?/u;

/** Finds the checks of a command line, with the results that the status and the output show. */
export function checkRuns(ran: RanScript): readonly CheckRun[] {
  const steps = shellSteps(ran.script) ?? [];
  const checks = steps.flatMap(({ words, after }, index) => {
    // After `||`, the step may not have run. After `|`, the step only filters the output of another step.
    const kind = after === '||' || after === '|' ? undefined : checkKindOf(words);
    return kind === undefined ? [] : [{ kind, index }];
  });
  const outputs = checks.map(({ kind, index }) => {
    const others = checks.filter((other) => other.index !== index).map((other) => other.kind);
    return resultOf(steps, index, kind, ran, others);
  });
  const results = outputs.map((told, place): Told => {
    const later = checks.slice(place + 1).find((_, at) => outputs[place + 1 + at]!.result !== 'unknown');
    const isPassed = told.result === 'unknown' && later !== undefined;
    return isPassed && leadsTo(steps, checks[place]!.index, later.index) ? { result: 'passed' } : told;
  });
  const isFailed = ran.end !== 'ran' || (ran.status ?? 0) !== 0;
  const firstNotPassed = results.findIndex(({ result }) => result !== 'passed');
  const own = checks.flatMap(({ kind, index }, place): CheckRun | readonly [] => {
    // After `&&`, the check may not have run because an earlier check failed.
    const isAfterFailure = isFailed && firstNotPassed >= 0 && place > firstNotPassed;
    if (steps[index]!.after === '&&' && isAfterFailure && results[place]!.result === 'unknown') return [];
    const folder = folderAt(steps, index);
    if (isThrowAway(folder ?? ran.folder ?? '')) return [];
    return {
      kind,
      command: factText(innerWords(steps[index]!.words).join(' ')),
      ...(folder !== undefined && { folder }),
      ...results[place]!,
    };
  });
  return [...own, ...hookRuns(ran)];
}

/** Finds the check of a commit hook in the line in which npm names it. A commit exists only if it passed. */
function hookRuns(ran: RanScript): readonly CheckRun[] {
  if (!hasCommitted(ran) || /\s(?:-n|--no-verify)\b/u.test(ran.script)) return [];
  const script = /^> @?[^\s@]+@\S+ (\S+)$/mu.exec(ran.output.slice(0, readCharacters))?.[1] ?? '';
  const kind = checkKindOf(['npm', 'run', script]);
  return kind === undefined ? [] : [{ kind, command: `npm run ${script}`, result: 'passed' }];
}

function resultOf(
  steps: readonly ShellStep[],
  index: number,
  kind: CheckKind,
  { end, status, output, errors }: RanScript,
  others: readonly CheckKind[],
): Told {
  if (end === 'cancelled' || end === 'running') return { result: end };
  const rest = steps.slice(index + 1);
  const pipeEnd = rest.findIndex(({ after }) => after !== '|');
  const filters = pipeEnd < 0 ? rest : rest.slice(0, pipeEnd);
  const later = rest.slice(filters.length);
  const isPipefail = steps.slice(0, index).some(({ words }) => words.includes('pipefail'));
  const tellsStatus = filters.length === 0 || isPipefail;
  const echoed =
    tellsStatus && /\$\?/u.test(later[0]?.words.join(' ') ?? '') ? exitStatusIn(output) : undefined;
  // If the status shows the failure, the first error is the reason.
  const withReason = (reason = failureIn(kind, linesOf(output), errors) ?? errors()[0]): Told => {
    const more = errors().filter((one) => one !== reason);
    return {
      result: 'failed',
      ...(reason !== undefined && { line: reason }),
      ...(more.length > 0 && { more: more.slice(0, mostLines - 1) }),
    };
  };

  if (echoed !== undefined) return echoed === 0 ? { result: 'passed' } : withReason();
  // After `&&`, the next steps start only if this check passed. The status of the line is then their status.
  const isBeforeAll = later.every(({ after }) => after === '&&' || after === '|');
  if (tellsStatus && status === 0 && isBeforeAll) return { result: 'passed' };
  const isFailed = end === 'failed' || (status !== undefined && status !== 0);
  const before = steps.slice(0, index);
  const isOnlyOne = steps[index]!.after !== '&&' || before.every(isNeutral);
  if (tellsStatus && isFailed && later.length === 0 && isOnlyOne) return withReason();

  // Otherwise only the output shows the result. Most checks do not need its lines.
  const lines = linesOf(output);
  const [program = ''] = innerWords(steps[index]!.words);
  const isHidden =
    steps[index]!.isRedirected || filters.some((filter) => hidesFailures(filter, lines.length));
  const isUntold = !isFailed && !isHidden && errors().length === 0 && !lines.some((one) => failure.test(one));
  if (isUntold && announcing.has(program)) return { result: 'passed' };
  // The output decides only if it comes from the check alone.
  const besides = steps.filter((step, at) => at !== index && step.after !== '|' && !isNeutral(step));
  if (besides.some(({ words }) => checkKindOf(words) === undefined) || steps[index]!.isRedirected) {
    return { result: 'unknown' };
  }
  if (others.length > 0) {
    const words = kind === 'test' ? ofTests : kind === 'lint' ? ofLinters : undefined;
    const own = words === undefined || others.includes(kind) ? [] : lines.filter((one) => words.test(one));
    const reason = own.find((one) => failure.test(one));
    if (reason !== undefined) return withReason(errors()[0] ?? factText(reason));
    const isTested = own.some((one) => success.test(one) || goPackage.test(one));
    return { result: isTested ? 'passed' : 'unknown' };
  }
  const failed = failureIn(kind, lines, errors);
  if (failed !== undefined) return withReason(failed);
  if (isFailed) return { result: 'unknown' };
  // If one of several programs passed, the others may have failed.
  const isSuccess = kind !== 'check' && lines.some((one) => success.test(one));
  if (isSuccess || (!isHidden && lines.some((one) => goPackage.test(one)))) return { result: 'passed' };
  const isSilent = !isHidden && noOutput.test(output.replace(codexHeader, '').trim());
  return { result: isSilent && silent.has(program) && kind !== 'test' ? 'passed' : 'unknown' };
}

/** True if the second step runs only if the first one passed. */
function leadsTo(steps: readonly ShellStep[], one: number, other: number): boolean {
  const between = steps.slice(one + 1, other + 1);
  return between[0]?.after === '&&' && between.every(({ after }) => after === '&&' || after === '|');
}

/** True for a filter that may have removed the line with a failure. */
function hidesFailures({ words: [program = '', ...rest] }: ShellStep, lines: number): boolean {
  if (/^(?:tail|tee|cat)$/u.test(program)) return false;
  if (program === 'head') return lines > Number(/\d+/u.exec(rest.join(' '))?.[0] ?? 10);
  const isSearch =
    /^(?:grep|egrep|rg)$/u.test(program) && !rest.some((word) => /^-[a-zA-Z]*[vc]/u.test(word));
  return !isSearch || !/fail/iu.test(rest.join(' '));
}

function isNeutral({ words: [program = ''] }: ShellStep): boolean {
  return neutral.has(program);
}

/** Maximum UTF-16 units that are read at each end of an output, and in a line. */
const readCharacters = 8_000;
const longestLine = 400;
/** Name of a task, which mise writes before each line of output: `[lint:go] `. */
const taskName = /^\[[a-z][\w:.-]{0,60}\] /u;

function linesOf(output: string): readonly string[] {
  const ends =
    output.length <= 2 * readCharacters
      ? output
      : `${output.slice(0, readCharacters)}\n${output.slice(-readCharacters)}`;
  return ends
    .replace(codexHeader, '')
    .split('\n')
    .map((line) => line.slice(0, longestLine).trimEnd().replace(taskName, ''));
}

/** Returns the line that shows the failure of a check, if any. Tests may print errors and still pass. */
function failureIn(
  kind: CheckKind,
  lines: readonly string[],
  errors: () => readonly string[],
): string | undefined {
  const summary = lines.find((line) => failure.test(line));
  if (summary === undefined && (kind === 'test' || lines.some((line) => success.test(line))))
    return undefined;
  return errors()[0] ?? (summary === undefined ? undefined : factText(summary));
}

/** Adds a run in place of the last check of its kind, and of unpassed checks that a passed run covers. */
export function withRun(checks: readonly CheckState[], run: CheckState): readonly CheckState[] {
  const isOver = (check: CheckState) =>
    run.result === 'passed' && check.result !== 'passed' && coversCheck(namedRun(run), namedRun(check));
  return [...checks.filter((check) => check.kind !== run.kind && !isOver(check)), run];
}

function namedRun({ kind, command, folder }: CheckRun): CheckedRun {
  return { kind, key: sameRun(command.split(' ')), folder };
}
