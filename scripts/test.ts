/**
 * Runs every check of the project, or the stages that are named, and ends with one line: `N passed, N failed`.
 *
 * Usage: node scripts/test.ts [STAGE …]
 */
import { mkdir } from 'node:fs/promises';
import { missingChromium } from './chromium.ts';
import { projectFolder, resultsFolder } from './project.ts';
import { runCommand } from './run-command.ts';
import { runIntegration } from './run-integration.ts';
import { runMain } from './run-main.ts';
import { add, nothing, oneFailed, onePassed, type Tally } from './tally.ts';
import { runVitest } from './vitest-stage.ts';

interface Stage {
  readonly name: string;
  readonly run: () => Promise<Tally>;
  readonly needsBrowser?: boolean;
  /** Loads the extension from `dist/`. */
  readonly needsBuild?: boolean;
}

const stages: readonly Stage[] = [
  command('typecheck', 'tsc', '--build'),
  command('lint', 'eslint', '.'),
  command('format', 'prettier', '--check', '--log-level', 'warn', '.'),
  command('build', process.execPath, 'scripts/build.ts'),
  { name: 'unit', run: () => runVitest('unit') },
  { name: 'contract', run: () => runVitest('contract') },
  { name: 'webview', run: () => runVitest('webview'), needsBrowser: true },
  { name: 'integration', run: runIntegration, needsBrowser: true, needsBuild: true },
  { name: 'end-to-end', run: () => runVitest('end-to-end'), needsBrowser: true, needsBuild: true },
];

/** A stage that is one command, which counts as one test. */
function command(name: string, program: string, ...programArguments: readonly string[]): Stage {
  const run = async (): Promise<Tally> => {
    const { code } = await runCommand(program, programArguments, { cwd: projectFolder, show: true });
    return code === 0 ? onePassed : oneFailed(`ended with code ${code}`);
  };
  return { name, run };
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

async function runStage(stage: Stage, isBuilt: boolean): Promise<Tally> {
  console.log(`\n── ${stage.name} ──`);
  const startedAt = performance.now();
  const tally = await attempt(stage, isBuilt);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const verdict = tally.failed === 0 ? 'PASS' : 'FAIL';
  console.log(`${verdict} ${stage.name}: ${tally.passed} passed, ${tally.failed} failed (${seconds} s)`);
  return { ...tally, failures: tally.failures.map((failure) => `${stage.name}: ${failure}`) };
}

async function attempt({ run, needsBuild, needsBrowser }: Stage, isBuilt: boolean): Promise<Tally> {
  const obstacle =
    needsBuild === true && !isBuilt
      ? 'There is no build to run it on.'
      : needsBrowser === true
        ? missingChromium()
        : undefined;
  if (obstacle !== undefined) {
    console.log(obstacle);
    return oneFailed(obstacle);
  }
  try {
    return await run();
  } catch (error) {
    console.log(error);
    return oneFailed(error instanceof Error ? error.message : String(error));
  }
}

async function main(): Promise<void> {
  const selected = selectStages(process.argv.slice(2));
  await mkdir(resultsFolder, { recursive: true });
  let total = nothing;
  let isBuilt = false;
  for (const stage of selected) {
    const tally = await runStage(stage, isBuilt);
    if (stage.name === 'build') isBuilt = tally.failed === 0;
    total = add(total, tally);
  }
  if (total.failures.length > 0)
    console.log(`\nFailed:\n${total.failures.map((line) => `  ${line}`).join('\n')}`);
  console.log(total.skipped === 0 ? '' : `\n${total.skipped} skipped`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  if (total.failed > 0) process.exitCode = 1;
}

await runMain(main);
