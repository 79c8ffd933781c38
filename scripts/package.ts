/**
 * Builds for production and packs the extension into `context-budget-<version>.vsix`. What goes in is listed in
 * `.vscodeignore`.
 *
 * Usage: node scripts/package.ts
 */
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from './project.ts';
import { runCommand } from './run-command.ts';
import { runMain } from './run-main.ts';

async function main(): Promise<void> {
  const manifest = await readFile(join(projectFolder, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { readonly name: string; readonly version: string };
  const vsix = join(projectFolder, `${name}-${version}.vsix`);
  await run(process.execPath, ['scripts/build.ts', '--production']);
  await run('vsce', [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    // There is no published repository that the pictures of the README could be looked up in.
    '--no-rewrite-relative-links',
    '--out',
    vsix,
  ]);
  console.log(`${vsix}: ${Math.ceil((await stat(vsix)).size / 1024)} KiB`);
}

async function run(command: string, commandArguments: readonly string[]): Promise<void> {
  const { code } = await runCommand(command, commandArguments, { cwd: projectFolder, show: true });
  if (code !== 0) throw new Error(`${command} ended with code ${code}.`);
}

await runMain(main);
