import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installOnce } from '../../../scripts/test/install-once.ts';
import { projectFolder } from '../../../scripts/project.ts';

/** The examples with their packages and the npm package; empty until they are installed. */
export const examplesFolder = join(projectFolder, 'out', 'examples');

/** Runs a program. @throws with what it wrote, if it fails */
export const run = promisify(execFile);

/**
 * Packs the npm package and installs it, in an empty project and for the examples.
 *
 * @returns the folder of the empty project
 * @throws if the npm registry is needed and cannot be reached
 */
export async function installExamples(): Promise<string> {
  // A separate folder, so that no package of this project is found.
  const emptyProject = await mkdtemp(join(tmpdir(), 'empty-project-'));
  await npm(projectFolder, 'pack', '--pack-destination', emptyProject);
  const archive = (await readdir(emptyProject)).find((name) => name.endsWith('.tgz'));
  await npm(emptyProject, 'install', '--offline', `./${archive}`);

  await rm(examplesFolder, { recursive: true, force: true });
  await cp(join(projectFolder, 'examples'), examplesFolder, { recursive: true });
  const packages = join(await installedPackages(), 'node_modules');
  const modules = join(examplesFolder, 'node_modules');
  await mkdir(modules);
  for (const name of await readdir(packages)) {
    // The examples themselves are workspaces of the checkout that installed them.
    if (/^(?:\.|context-budget)/u.test(name)) continue;
    await symlink(join(packages, name), join(modules, name), 'junction');
  }
  const installed = join('node_modules', 'context-budget');
  await cp(join(emptyProject, installed), join(examplesFolder, installed), { recursive: true });
  return emptyProject;
}

/** The packages of the examples, cached while their manifests are unchanged. */
async function installedPackages(): Promise<string> {
  const examples = join(projectFolder, 'examples');
  const manifests = globSync('{*/,}package{-lock,}.json', { cwd: examples });
  const hash = createHash('sha256');
  for (const name of manifests.toSorted()) hash.update(await readFile(join(examples, name)));
  return installOnce({
    name: `examples-${hash.digest('hex').slice(0, 16)}`,
    marker: join('node_modules', '.package-lock.json'),
    build: async (building) => {
      for (const name of manifests) {
        await mkdir(dirname(join(building, name)), { recursive: true });
        await cp(join(examples, name), join(building, name));
      }
      await npm(building, 'ci', '--ignore-scripts', '--prefer-offline', '--fetch-retries=1');
      return building;
    },
  });
}

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
