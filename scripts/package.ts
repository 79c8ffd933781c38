/**
 * Builds for production and packs the extension into `context-budget-<version>.vsix`. `.vscodeignore` determines its
 * files.
 *
 * Usage: node scripts/package.ts
 */
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { packagedReadme } from './build/packaged-readme.ts';
import { projectFolder } from './project.ts';
import { runCommand } from './test/run-command.ts';
import { runMain } from './run-main.ts';

/** README of the package, relative to the project's folder. */
const readmePath = 'out/package/README.md';

async function writeReadme(): Promise<void> {
  const files = await listFiles({ cwd: projectFolder, packageManager: PackageManager.None });
  const readme = await readFile(join(projectFolder, 'README.md'), 'utf8');
  const path = join(projectFolder, readmePath);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, packagedReadme(readme, new Set(files)));
}

async function main(): Promise<void> {
  const manifest = await readFile(join(projectFolder, 'package.json'), 'utf8');
  const { name, version } = JSON.parse(manifest) as { readonly name: string; readonly version: string };
  const vsix = join(projectFolder, `${name}-${version}.vsix`);
  await run(process.execPath, ['scripts/build.ts', '--production']);
  await writeReadme();
  await run('vsce', [
    'package',
    '--no-dependencies',
    '--allow-missing-repository',
    // No published repository has the pictures of the README, so links to the pictures must stay relative.
    '--no-rewrite-relative-links',
    '--readme-path',
    readmePath,
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
