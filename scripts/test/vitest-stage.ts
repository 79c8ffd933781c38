import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { projectFolder, resultsFolder } from '../project.ts';
import { runCommand } from './run-command.ts';
import { add, nothing, oneFailed, type Tally } from './tally.ts';

/** Stages that vitest runs. */
export const vitestStages = ['end-to-end', 'unit', 'contract', 'faults', 'webview'] as const;

export type VitestStage = (typeof vitestStages)[number];

/** The part of vitest's JSON report that we use. */
export interface VitestReport {
  readonly testResults: readonly VitestFile[];
}

/** The results of one test file in a report. */
interface VitestFile {
  /** Path of the test file. */
  readonly name: string;
  readonly status: string;
  readonly message: string;
  /** Start of the file's tests in milliseconds since 1970. */
  readonly startTime: number;
  readonly endTime: number;
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
}

/** The result of one stage. */
export interface StageResult extends Tally {
  /** Total milliseconds of the stage's files. */
  readonly durationMs: number;
}

/** The table of faults is printed at the end if the run has fault tests. */
const faultTable = './test/faults/support/fault-table-reporter.ts';

/** The results of several stages. */
export interface VitestRun {
  readonly results: ReadonlyMap<VitestStage, StageResult>;
  /** Everything that vitest wrote; empty if it was shown. */
  readonly output: string;
}

/**
 * Runs stages in one run of vitest, whose workers take files from all stages.
 *
 * @param show true to let vitest write to the output of this process
 * @throws Error if vitest ends without a report, for example because there are no tests
 */
export async function runVitest(stages: readonly VitestStage[], show = false): Promise<VitestRun> {
  const file = join(resultsFolder, `${stages.join('-')}.json`);
  await rm(file, { force: true });
  const projects = stages.flatMap((stage) => (stage === 'unit' ? ['unit', 'unit-mocked'] : [stage]));
  const reporters = ['default', 'json', ...(stages.includes('faults') ? [faultTable] : [])];
  const { code, output } = await runCommand(
    'vitest',
    [
      'run',
      ...projects.map((project) => `--project=${project}`),
      ...reporters.map((reporter) => `--reporter=${reporter}`),
      `--outputFile.json=${file}`,
    ],
    { cwd: projectFolder, show },
  );
  if (!existsSync(file)) throw new Error(`vitest ended with code ${code} and left no report:\n${output}`);
  const report = JSON.parse(await readFile(file, 'utf8')) as VitestReport;
  const results = new Map(stages.map((stage) => [stage, resultOf(report, stage)]));
  // Vitest can also fail although every test passed, for example because of an error that nothing awaited.
  if (code !== 0 && [...results.values()].every(({ failed }) => failed === 0)) {
    const [last] = stages.slice(-1);
    const failure = oneFailed(`vitest ended with code ${code} although no test failed`);
    const result = results.get(last!)!;
    results.set(last!, { ...result, ...add(result, failure) });
  }
  return { results, output };
}

function resultOf({ testResults }: VitestReport, stage: VitestStage): StageResult {
  const files = testResults.filter(({ name }) => stageOf(name) === stage);
  if (files.length === 0) return { ...oneFailed('no test ran'), durationMs: 0 };
  const durationMs = files.reduce((sum, { startTime, endTime }) => sum + endTime - startTime, 0);
  return { ...readReport({ testResults: files }), durationMs };
}

/** The stage with the name of the test file's folder. Files in other folders are unit tests. */
export function stageOf(file: string): VitestStage {
  const [, folder] = relative(projectFolder, file).split(/[\\/]/u);
  return vitestStages.find((stage) => stage === folder) ?? 'unit';
}

/** Counts the tests in a report. A file that could not be loaded counts as one failed test. */
export function readReport({ testResults }: VitestReport): Tally {
  return testResults.reduce((tally, file) => {
    const count = (...states: readonly string[]): number =>
      file.assertionResults.filter(({ status }) => states.includes(status)).length;
    const failures = file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => fullName);
    const path = relative(projectFolder, file.name);
    const isBroken = file.status === 'failed' && failures.length === 0;
    return add(tally, {
      passed: count('passed'),
      failed: failures.length + (isBroken ? 1 : 0),
      skipped: count('pending', 'skipped', 'todo', 'disabled'),
      failures: isBroken
        ? [`${path}: ${file.message.split('\n')[0] ?? ''}`]
        : failures.map((name) => `${path}: ${name}`),
    });
  }, nothing);
}
