import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { projectFolder, resultsFolder } from './project.ts';
import { runCommand } from './run-command.ts';
import { add, nothing, oneFailed, type Tally } from './tally.ts';

/** The part of vitest's JSON report that is read here. */
export interface VitestReport {
  readonly testResults: readonly {
    /** Path of the test file. */
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/**
 * Runs one project of vitest.config.ts, its output shown as it comes.
 *
 * @param reporters further ones, as paths
 * @throws where vitest ends without a report, for example because there are no tests
 */
export async function runVitest(project: string, reporters: readonly string[] = []): Promise<Tally> {
  const file = join(resultsFolder, `${project}.json`);
  await rm(file, { force: true });
  const { code } = await runCommand(
    'vitest',
    [
      'run',
      '--project',
      project,
      ...['default', 'json', ...reporters].map((reporter) => `--reporter=${reporter}`),
      `--outputFile.json=${file}`,
    ],
    { cwd: projectFolder, show: true },
  );
  if (!existsSync(file)) throw new Error(`vitest ended with code ${code} and left no report`);
  const tally = readReport(JSON.parse(await readFile(file, 'utf8')) as VitestReport);
  // Vitest also fails where every test passes, for example for an error that nothing awaited.
  return code !== 0 && tally.failed === 0
    ? add(tally, oneFailed(`vitest ended with code ${code} although no test failed`))
    : tally;
}

/** Counts what a report tells. A file that could not be loaded counts as one failed test. */
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
