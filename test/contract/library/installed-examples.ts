import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../../scripts/project.ts';

/** The examples with their packages, and with the library as npm packs and installs it. */
export const examplesFolder = join(projectFolder, 'out', 'examples');

/** Runs a program of the examples. @throws with what it wrote, if it fails */
export const run = promisify(execFile);

/**
 * Installs the examples and the library for them. Packages stay installed as long as the lock file is the same.
 *
 * @throws if the npm registry is needed and cannot be reached
 */
export async function installExamples(): Promise<void> {
  await mkdir(examplesFolder, { recursive: true });
  const isKept = (name: string) => name === 'node_modules' || name === installed;
  const old = (await readdir(examplesFolder)).filter((name) => !isKept(name));
  await Promise.all(old.map((name) => rm(join(examplesFolder, name), { recursive: true })));
  await cp(join(projectFolder, 'examples'), examplesFolder, { recursive: true });
  const lock = await readFile(join(examplesFolder, 'package-lock.json'), 'utf8');
  const marker = join(examplesFolder, installed);
  if ((await readFile(marker, 'utf8').catch(() => '')) !== lock) {
    await npm(examplesFolder, 'ci', '--ignore-scripts', '--prefer-offline', '--fetch-retries=1');
    await writeFile(marker, lock);
  }
  await npm(projectFolder, 'pack', '--pack-destination', examplesFolder);
  const archive = (await readdir(examplesFolder)).find((name) => name.endsWith('.tgz'));
  await npm(examplesFolder, 'install', '--no-save', '--offline', `./${archive}`);
}

/** The lock file that the packages were installed from. */
const installed = '.installed-lock.json';

async function npm(cwd: string, ...options: readonly string[]): Promise<void> {
  try {
    await run('npm', [...options, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });
  } catch (error) {
    const { stderr = '' } = error as { readonly stderr?: string };
    throw new Error(
      `npm ${options[0]} failed in ${cwd}. The examples need the npm registry for their packages: ${stderr.trim()}`,
      { cause: error },
    );
  }
}
