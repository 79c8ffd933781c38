/**
 * Checks types, and runs the unit tests that reach a file changed since the branch left `main`, or since the last
 * commit on `main` itself.
 *
 * Usage: node scripts/test-quick.ts
 */
import { projectFolder } from './project.ts';
import { runCommand } from './run-command.ts';
import { runMain } from './run-main.ts';

async function main(): Promise<void> {
  const base = await baseCommit();
  console.log(`Types, and unit tests of what changed since ${base}`);
  const types = runCommand('tsc', ['--build', '--pretty'], { cwd: projectFolder });
  const options = ['--project=unit', '--project=unit-mocked', `--changed=${base}`, '--passWithNoTests'];
  const tests = await runCommand('vitest', ['run', ...options], { cwd: projectFolder, show: true });
  const { code, output } = await types;
  process.stdout.write(output);
  console.log(`Types ${code === 0 ? 'pass' : 'fail'}, tests ${tests.code === 0 ? 'pass' : 'fail'}.`);
  if (code !== 0 || tests.code !== 0) process.exitCode = 1;
}

/** The commit at which the branch left `main`; on `main`, or without one, the last commit. */
async function baseCommit(): Promise<string> {
  const { code, output } = await runCommand('git', ['merge-base', 'HEAD', 'main'], { cwd: projectFolder });
  return code === 0 ? output.trim() : 'HEAD';
}

await runMain(main);
