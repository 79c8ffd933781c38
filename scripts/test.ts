/**
 * Runs all checks of the project, or only the named stages. Ends with one line: `N passed, N failed`.
 *
 * The stages that drive VS Code run one at a time, while other stages run too, because they mostly wait.
 *
 * Usage: node scripts/test.ts [STAGE …]
 */
import { mkdir } from 'node:fs/promises';
import { inspect } from 'node:util';
import { launchBrowser } from './test/browser.ts';
import { ensureServer } from './test/host-cache.ts';
import { useOwnFolders } from './test/own-folders.ts';
import { projectFolder, resultsFolder } from './project.ts';
import { runCommand } from './test/run-command.ts';
import { runIntegration } from './test/run-integration.ts';
import { runMain } from './run-main.ts';
import { add as addTallies, nothing, oneFailed, onePassed, type Tally } from './test/tally.ts';
import { runVitest, type StageResult, type VitestStage } from './test/vitest-stage.ts';

interface Stage {
  readonly name: string;
  readonly run: () => Promise<Outcome>;
  readonly needsBrowser?: boolean;
  /** True if the stage opens a VS Code server. */
  readonly needsServer?: boolean;
  /** True if the stage loads the extension from `dist/`. */
  readonly needsBuild?: boolean;
}

interface Outcome extends Tally {
  /** Output of the stage that has not been shown yet. */
  readonly output?: string;
}

interface Report extends Outcome {
  readonly name: string;
  readonly durationMs: number;
}

/** Stages that only read source files. */
const readers: readonly Stage[] = [
  reader('typecheck', 'typecheck'),
  reader('lint', 'lint'),
  reader('format', 'format:check'),
];

const builder: Stage = { name: 'build', run: build };

/** Stages that drive VS Code. */
const editors: readonly Stage[] = [
  { name: 'integration', run: integrate, needsBrowser: true, needsServer: true, needsBuild: true },
  { name: 'end-to-end', run: endToEnd, needsBrowser: true, needsServer: true, needsBuild: true },
];

/** Stages that are run by vitest, together and on every core. */
const together: readonly (Omit<Stage, 'run'> & { readonly name: VitestStage })[] = [
  { name: 'unit' },
  { name: 'contract' },
  { name: 'faults', needsBrowser: true, needsBuild: true },
  { name: 'webview', needsBrowser: true },
];

const stages: readonly Omit<Stage, 'run'>[] = [...readers, builder, ...editors, ...together];

/** A stage that runs an npm script and counts as one test. */
function reader(name: string, script: string): Stage {
  const run = async (): Promise<Outcome> => {
    const { code, output } = await runCommand('npm', ['run', '--silent', script], { cwd: projectFolder });
    return { ...tallyOf(code), output };
  };
  return { name, run };
}

/** Builds for production and packs the extension, so that tests run the code that users get. */
async function build(): Promise<Outcome> {
  const { code, output } = await runCommand(process.execPath, ['scripts/package.ts'], { cwd: projectFolder });
  return { ...tallyOf(code), output };
}

async function integrate(): Promise<Outcome> {
  const lines: string[] = [];
  const tally = await runIntegration((line) => lines.push(line));
  return { ...tally, output: lines.map((line) => `${line}\n`).join('') };
}

async function endToEnd(): Promise<Outcome> {
  const { results, output } = await runVitest(['end-to-end']);
  return { ...results.get('end-to-end')!, output };
}

function tallyOf(code: number): Tally {
  return code === 0 ? onePassed : oneFailed(`ended with code ${code}`);
}

/** The named stages, and the build if one of them needs it; all stages if none is named. */
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
  if (stage.needsBuild === true && !isBuilt) return notBuilt;
  try {
    return await stage.run();
  } catch (error) {
    return failureOf(error);
  }
}

const notBuilt = oneFailed('There is no build to run it on.');

function failureOf(error: unknown): Outcome {
  const failed = oneFailed(error instanceof Error ? error.message : String(error));
  return { ...failed, output: `${inspect(error)}\n` };
}

/** Runs the stages of vitest together. The time of a stage is the sum of the times of its files. */
async function runTogether(
  selected: readonly (typeof together)[number][],
  isBuilt: boolean,
): Promise<readonly Report[]> {
  const names = selected.filter(({ needsBuild }) => needsBuild !== true || isBuilt).map(({ name }) => name);
  let results: ReadonlyMap<VitestStage, StageResult> = new Map();
  let failure: Outcome = notBuilt;
  try {
    if (names.length > 0) ({ results } = await runVitest(names, true));
  } catch (error) {
    failure = failureOf(error);
  }
  return selected.map(({ name }) => ({ durationMs: 0, ...(results.get(name) ?? failure), name }));
}

function print({ name, passed, failed, output = '', durationMs }: Report): void {
  const seconds = (durationMs / 1000).toFixed(1);
  const title = `\n── ${name} ──\n`;
  const end = `${failed === 0 ? 'PASS' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed (${seconds} s)\n`;
  process.stdout.write(title + output + end);
}

/** Installs missing requirements of the stages. @throws Error with a remedy if an installation is impossible */
async function prepare(selected: readonly Omit<Stage, 'run'>[]): Promise<void> {
  await mkdir(resultsFolder, { recursive: true });
  if (selected.some(({ needsBrowser }) => needsBrowser === true)) {
    const { browser, source } = await launchBrowser();
    console.log(`Tests use ${source}, version ${browser.version()}.`);
    await browser.close();
  }
  if (selected.some(({ needsServer }) => needsServer === true)) await ensureServer();
}

async function main(): Promise<void> {
  const names = selectStages(process.argv.slice(2));
  const isSelected = ({ name }: { readonly name: string }): boolean => names.has(name);
  useOwnFolders();
  await prepare(stages.filter(isSelected));
  const reports: Report[] = [];
  const add = (report: Report): void => {
    print(report);
    reports.push(report);
  };
  /** Runs stages one after another. */
  const run = async (selected: readonly Stage[], isBuilt: boolean): Promise<void> => {
    for (const stage of selected) add(await runStage(stage, isBuilt));
  };
  await run([builder].filter(isSelected), false);
  const isBuilt = reports.some(({ failed }) => failed === 0);
  const group = together.filter(isSelected);
  await Promise.all([
    run(editors.filter(isSelected), isBuilt),
    run(readers.filter(isSelected), isBuilt),
    group.length > 0 && runTogether(group, isBuilt).then((ended) => ended.forEach(add)),
  ]);
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
