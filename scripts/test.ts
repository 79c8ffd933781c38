/**
 * Runs every check of the project, or the stages that are named, and ends with one line: `N passed, N failed`. What
 * only reads the sources runs beside the other stages, and says at its end what it has to say.
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
import { add, nothing, oneFailed, onePassed, type Tally } from './tally.ts';
import { runVitest } from './vitest-stage.ts';

interface Stage {
  readonly name: string;
  readonly run: () => Promise<Outcome>;
  readonly needsBrowser?: boolean;
  /** Loads the extension from `dist/`. */
  readonly needsBuild?: boolean;
}

interface Outcome extends Tally {
  /** What has not been shown yet. */
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

/** First what waits for VS Code and leaves room for the readers, then what keeps every core busy. */
const runners: readonly Stage[] = [
  { name: 'build', run: build },
  { name: 'integration', run: runIntegration, needsBrowser: true, needsBuild: true },
  { name: 'end-to-end', run: () => runVitest('end-to-end'), needsBrowser: true, needsBuild: true },
  { name: 'unit', run: () => runVitest('unit') },
  { name: 'contract', run: () => runVitest('contract') },
  {
    name: 'faults',
    run: () => runVitest('faults', ['./test/faults/support/fault-table-reporter.ts']),
    needsBrowser: true,
    needsBuild: true,
  },
  { name: 'webview', run: () => runVitest('webview'), needsBrowser: true },
];

const stages = [...readers, ...runners];

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

function tallyOf(code: number): Tally {
  return code === 0 ? onePassed : oneFailed(`ended with code ${code}`);
}

/** The stages that were named; the build comes along where one of them needs it. All stages where none was named. */
function selectStages(names: readonly string[]): readonly Stage[] {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    throw new Error(
      `No such stage: ${unknown.join(', ')}. There are ${stages.map(({ name }) => name).join(', ')}.`,
    );
  }
  if (names.length === 0) return stages;
  const needsBuild = stages.some((stage) => stage.needsBuild === true && names.includes(stage.name));
  return stages.filter(({ name }) => names.includes(name) || (needsBuild && name === 'build'));
}

async function runStage(stage: Stage, isBuilt: boolean): Promise<Report> {
  const startedAt = performance.now();
  const outcome = await attempt(stage, isBuilt);
  return { ...outcome, name: stage.name, durationMs: performance.now() - startedAt };
}

async function attempt({ run, needsBuild, needsBrowser }: Stage, isBuilt: boolean): Promise<Outcome> {
  const obstacle =
    needsBuild === true && !isBuilt
      ? 'There is no build to run it on.'
      : needsBrowser === true
        ? missingChromium()
        : undefined;
  if (obstacle !== undefined) {
    return { ...oneFailed(obstacle), output: `${obstacle}\n` };
  }
  try {
    return await run();
  } catch (error) {
    const failed = oneFailed(error instanceof Error ? error.message : String(error));
    return { ...failed, output: `${inspect(error)}\n` };
  }
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
  const selected = selectStages(process.argv.slice(2));
  await mkdir(resultsFolder, { recursive: true });
  const reading = readers.filter((stage) => selected.includes(stage));
  if (reading.length > 0) console.log(`Beside the others: ${reading.map(({ name }) => name).join(', ')}`);
  const reports: Report[] = [];
  const waiting: Report[] = [];
  const beside = runQuietly(reading, waiting);
  const printWaiting = (): void => {
    for (const report of waiting.splice(0)) {
      printTitle(report.name);
      printEnd(report);
      reports.push(report);
    }
  };
  for (const stage of runners.filter((one) => selected.includes(one))) {
    printTitle(stage.name);
    const isBuilt = reports.some(({ name, failed }) => name === 'build' && failed === 0);
    const report = await runStage(stage, isBuilt);
    printEnd(report);
    reports.push(report);
    printWaiting();
  }
  await beside;
  printWaiting();
  printTotal(reports);
}

function printTotal(reports: readonly Report[]): void {
  const named = reports.map((report) => ({
    ...report,
    failures: report.failures.map((failure) => `${report.name}: ${failure}`),
  }));
  const total = named.reduce<Tally>(add, nothing);
  if (total.failures.length > 0)
    console.log(`\nFailed:\n${total.failures.map((line) => `  ${line}`).join('\n')}`);
  console.log(total.skipped === 0 ? '' : `\n${total.skipped} skipped`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
}

await runMain(main);
