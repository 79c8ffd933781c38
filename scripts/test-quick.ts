/**
 * Checks types, lints the changed files, and runs the unit tests nearest to them. Files count as changed since the
 * branch left `main`; on `main` itself, since the last commit.
 *
 * Usage: node scripts/test-quick.ts
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { readSource } from './house/source-tree.ts';
import { nearestTests } from './test/nearest-tests.ts';
import { projectFolder } from './project.ts';
import { runCommand, type CommandResult } from './test/run-command.ts';
import { runMain } from './run-main.ts';
import { stageOf } from './test/vitest-stage.ts';

/** Maximum number of test files. Two cores run them in half a minute. */
const fileLimit = 60;

/** Folders with TypeScript files that may import each other. */
const codeFolders = ['src', 'webview', 'scripts', 'test'];

async function main(): Promise<void> {
  const base = await baseCommit();
  const changed = await changedFiles(base);
  console.log(`Types, lint and unit tests of ${changed.length} files changed since ${base}`);
  const readers = runReaders(changed);
  const { chosen, leftOut } = nearestTests(readImports(), changed, isUnitTest, fileLimit);
  const options = ['run', '--project=unit', '--project=unit-mocked', ...chosen];
  const tests = chosen.length === 0 ? 0 : (await run('vitest', options, true)).code;
  const results = await readers;
  for (const { output } of results) process.stdout.write(output);
  const [types, lint] = results.map(({ code }) => code);
  console.log(
    `Types ${said(types)}, lint ${said(lint)}, ${chosen.length} files of unit tests ${said(tests)}.`,
  );
  if (leftOut.length > 0)
    console.log(`Left out: ${leftOut.length} files of unit tests farther from the change.`);
  if (tests !== 0 || types !== 0 || lint !== 0) process.exitCode = 1;
}

/** Checks types first and lints afterwards, so that one core stays free for the tests. */
async function runReaders(changed: readonly string[]): Promise<readonly CommandResult[]> {
  const types = await run('npm', ['run', '--silent', 'typecheck', '--', '--pretty']);
  const linted = changed.filter((path) => /\.(?:ts|mjs)$/u.test(path));
  if (linted.length === 0) return [types, { code: 0, output: '' }];
  return [types, await run('npm', ['run', '--silent', 'lint', '--', '--no-warn-ignored', ...linted])];
}

/** File → its imports, without imports of types. */
function readImports(): ReadonlyMap<string, readonly string[]> {
  const paths = globSync(`{${codeFolders.join(',')}}/**/*.ts`, { cwd: projectFolder });
  const files = paths.map((path) => readSource(path.replaceAll('\\', '/')));
  return new Map(
    files.map(({ path, imports }) => [
      path,
      imports.flatMap(({ isTypeOnly, target }) => (isTypeOnly || target === undefined ? [] : [target])),
    ]),
  );
}

function isUnitTest(path: string): boolean {
  if (!path.endsWith('.test.ts') || /^test\/(?:integration|screenshots)\//u.test(path)) return false;
  return stageOf(join(projectFolder, path)) === 'unit';
}

/** The commit at which the branch left `main`. On `main`, or if there is no `main`, the last commit. */
async function baseCommit(): Promise<string> {
  const { code, output } = await run('git', ['merge-base', 'HEAD', 'main']);
  return code === 0 ? output.trim() : 'HEAD';
}

/** Paths of files that were changed or added since a commit, with slashes. */
async function changedFiles(base: string): Promise<readonly string[]> {
  const changed = await run('git', ['diff', '--name-only', '--no-renames', '--diff-filter=d', base]);
  const added = await run('git', ['ls-files', '--others', '--exclude-standard']);
  if (changed.code !== 0) throw new Error(changed.output);
  return `${changed.output}${added.output}`.split('\n').filter((path) => path !== '');
}

function run(command: string, commandArguments: readonly string[], show = false): Promise<CommandResult> {
  return runCommand(command, commandArguments, { cwd: projectFolder, show });
}

function said(code: number | undefined): string {
  return code === 0 ? 'pass' : 'fail';
}

await runMain(main);
