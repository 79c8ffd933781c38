/**
 * Runs every check of the project, or the stages that are named, and ends with one line: `N passed, N failed`.
 *
 * Stages that mostly wait for VS Code come first; stages that only read the sources run in parallel. Then every core
 * works on the other tests, in one run of vitest.
 *
 * Usage: node scripts/test.ts [STAGE …]
 */
import { mkdir } from 'node:fs/promises';
import { inspect } from 'node:util';
import { missingChromium } from './chromium.ts';
import { projectFolder, resultsFolder } from './project.ts';
import { runCommand } from './run-command.ts';
import { runIntegration } from './run-integration.ts';
import { runMain } from './run-main.ts';
import { add as addTallies, nothing, oneFailed, onePassed, type Tally } from './tally.ts';
import { runVitest, type StageResult, type VitestStage } from './vitest-stage.ts';

interface Stage {
  readonly name: string;
  readonly run: () => Promise<Outcome>;
  readonly needsBrowser?: boolean;
  /** Loads the extension from `dist/`. */
  readonly needsBuild?: boolean;
}

interface Outcome extends Tally {
  /** Output that has not been shown yet. */
  readonly output?: string;
}

interface Report extends Outcome {
  readonly name: string;
  readonly durationMs: number;
}

/** Each uses one core, and nothing that another stage writes. */
const readers: readonly Stage[] = [
  reader('typecheck', 'tsc', '--build'),
  reader('lint', 'eslint', '.'),
  reader('format', 'prettier', '--check', '--log-level', 'warn', '.'),
];

/** Stages that run one at a time: the build, and those that mostly wait for VS Code and leave a core to the readers. */
const runners: readonly Stage[] = [
  { name: 'build', run: build },
  { name: 'integration', run: runIntegration, needsBrowser: true, needsBuild: true },
  { name: 'end-to-end', run: () => runTests('end-to-end'), needsBrowser: true, needsBuild: true },
];

/** Run together, on every core. */
const together: readonly (Omit<Stage, 'run'> & { readonly name: VitestStage })[] = [
  { name: 'unit' },
  { name: 'contract' },
  { name: 'faults', needsBrowser: true, needsBuild: true },
  { name: 'webview', needsBrowser: true },
];

const stages: readonly Omit<Stage, 'run'>[] = [...readers, ...runners, ...together];

/** A stage that is one command, which counts as one test. */
function reader(name: string, program: string, ...programArguments: readonly string[]): Stage {
  const run = async (): Promise<Outcome> => {
    const options = { cwd: projectFolder, yields: true };
    const { code, output } = await runCommand(program, programArguments, options);
    return { ...tallyOf(code), output };
  };
  return { name, run };
}

async function build(): Promise<Outcome> {
  const options = { cwd: projectFolder, show: true };
  return tallyOf((await runCommand(process.execPath, ['scripts/build.ts'], options)).code);
}

/** Runs one stage of vitest. */
async function runTests(stage: VitestStage): Promise<Outcome> {
  return (await runVitest([stage])).get(stage)!;
}

function tallyOf(code: number): Tally {
  return code === 0 ? onePassed : oneFailed(`ended with code ${code}`);
}

/** The stages that were named; the build comes along where one of them needs it. All stages where none was named. */
function selectStages(names: readonly string[]): ReadonlySet<string> {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `No such stage: ${unknown.join(', ')}. There are ${stages.map(({ name }) => name).join(', ')}.`,
    );
  }
  if (names.length === 0) return new Set(stages.map(({ name }) => name));
  const needsBuild = stages.some((stage) => stage.needsBuild === true && names.includes(stage.name));
  return new Set(needsBuild ? ['build', ...names] : names);
}

async function runStage(stage: Stage, isBuilt: boolean): Promise<Report> {
  const startedAt = performance.now();
  const outcome = await attempt(stage, isBuilt);
  return { ...outcome, name: stage.name, durationMs: performance.now() - startedAt };
}

async function attempt(stage: Stage, isBuilt: boolean): Promise<Outcome> {
  const obstacle = obstacleOf(stage, isBuilt);
  if (obstacle !== undefined) return { ...oneFailed(obstacle), output: `${obstacle}\n` };
  try {
    return await stage.run();
  } catch (error) {
    return failureOf(error);
  }
}

/** The reason why a stage cannot run. */
function obstacleOf({ needsBuild, needsBrowser }: Omit<Stage, 'run'>, isBuilt: boolean): string | undefined {
  if (needsBuild === true && !isBuilt) return 'There is no build to run it on.';
  return needsBrowser === true ? missingChromium() : undefined;
}

function failureOf(error: unknown): Outcome {
  const failed = oneFailed(error instanceof Error ? error.message : String(error));
  return { ...failed, output: `${inspect(error)}\n` };
}

/** Runs the stages that vitest runs together. The time of each is that of its files, one after another. */
async function runTogether(
  selected: readonly (typeof together)[number][],
  isBuilt: boolean,
): Promise<readonly Report[]> {
  const obstacles = new Map(selected.map((stage) => [stage.name, obstacleOf(stage, isBuilt)]));
  const names = selected.map(({ name }) => name).filter((name) => obstacles.get(name) === undefined);
  let results: ReadonlyMap<VitestStage, StageResult> = new Map();
  let failure: Outcome = oneFailed('It did not run.');
  try {
    if (names.length > 0) results = await runVitest(names);
  } catch (error) {
    failure = failureOf(error);
  }
  return selected.map(({ name }) => {
    const obstacle = obstacles.get(name);
    if (obstacle !== undefined) {
      return { ...oneFailed(obstacle), output: `${obstacle}\n`, name, durationMs: 0 };
    }
    return { durationMs: 0, ...(results.get(name) ?? failure), name };
  });
}

function printTitle(name: string): void {
  console.log(`\n── ${name} ──`);
}

function printEnd({ name, passed, failed, output = '', durationMs }: Report): void {
  process.stdout.write(output);
  const seconds = (durationMs / 1000).toFixed(1);
  console.log(`${failed === 0 ? 'PASS' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed (${seconds} s)`);
}

/** Runs stages one after another, without a word. Each report is there as soon as its stage has ended. */
async function runQuietly(selected: readonly Stage[], reports: Report[]): Promise<void> {
  for (const stage of selected) reports.push(await runStage(stage, false));
}

async function main(): Promise<void> {
  const names = selectStages(process.argv.slice(2));
  const isSelected = ({ name }: { readonly name: string }): boolean => names.has(name);
  await mkdir(resultsFolder, { recursive: true });
  const reading = readers.filter(isSelected);
  if (reading.length > 0) console.log(`Beside the others: ${reading.map(({ name }) => name).join(', ')}`);
  const reports: Report[] = [];
  const waiting: Report[] = [];
  const beside = runQuietly(reading, waiting);
  const add = (report: Report): void => {
    printEnd(report);
    reports.push(report);
  };
  const addWaiting = (): void => {
    for (const report of waiting.splice(0)) {
      printTitle(report.name);
      add(report);
    }
  };
  const isBuilt = (): boolean => reports.some(({ name, failed }) => name === 'build' && failed === 0);
  for (const stage of runners.filter(isSelected)) {
    printTitle(stage.name);
    add(await runStage(stage, isBuilt()));
    addWaiting();
  }
  const group = together.filter(isSelected);
  if (group.length > 0) {
    printTitle(group.map(({ name }) => name).join(', '));
    for (const report of await runTogether(group, isBuilt())) add(report);
  }
  await beside;
  addWaiting();
  printTotal(reports);
}

function printTotal(reports: readonly Report[]): void {
  const named = reports.map((report) => ({
    ...report,
    failures: report.failures.map((failure) => `${report.name}: ${failure}`),
  }));
  const total = named.reduce<Tally>(addTallies, nothing);
  if (total.failures.length > 0)
    console.log(`\nFailed:\n${total.failures.map((line) => `  ${line}`).join('\n')}`);
  console.log(total.skipped === 0 ? '' : `\n${total.skipped} skipped`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
}

await runMain(main);
