/**
 * Bundles the command line for the npm package into `dist/command`, with the notices of the packages in it.
 *
 * Usage: node scripts/build-command.ts
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { commandBundles } from './build/build-options.ts';
import { projectFolder } from './project.ts';
import { runMain } from './run-main.ts';
import { bundledPackages, noticesOf } from './build/third-party.ts';

async function main(): Promise<void> {
  const folder = join(projectFolder, 'dist', 'command');
  await rm(folder, { recursive: true, force: true });
  const built = await Promise.all(
    commandBundles({ isProduction: true }).map((options) =>
      esbuild.build({ ...options, absWorkingDir: projectFolder, metafile: true }),
    ),
  );
  const packages = await bundledPackages(built.map(({ metafile }) => metafile));
  await writeFile(join(folder, 'THIRD_PARTY_NOTICES.txt'), noticesOf(packages));
}

await runMain(main);
