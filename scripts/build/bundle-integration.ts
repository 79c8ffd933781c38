import { cp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import { projectFolder } from '../project.ts';

/**
 * Bundles the tests that run in the extension host: the entry, and each test file next to it. Modules of the host and
 * packages of the tests are not bundled; packages are found in node_modules.
 *
 * @returns the module whose `run()` the extension host calls
 */
export async function bundleIntegration(): Promise<string> {
  const sources = join(projectFolder, 'test', 'integration');
  const outdir = join(projectFolder, 'out', 'integration');
  const tests = (await readdir(sources, { recursive: true })).filter((name) => name.endsWith('.test.ts'));
  await rm(outdir, { recursive: true, force: true });
  await esbuild.build({
    entryPoints: ['index.ts', ...tests].map((name) => join(sources, name)),
    outbase: sources,
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['vscode', 'mocha', '@modelcontextprotocol/sdk/client/*'],
    logLevel: 'warning',
  });
  return join(outdir, 'index.mjs');
}

/**
 * Builds the example extension that registers a strategy, as packaged.
 *
 * @returns folder of the built extension
 */
export async function buildStrategyExtension(): Promise<string> {
  const sources = join(projectFolder, 'examples', 'strategy-extension');
  const folder = join(projectFolder, 'out', 'strategy-extension');
  await rm(folder, { recursive: true, force: true });
  await cp(join(sources, 'package.json'), join(folder, 'package.json'));
  await esbuild.build({
    entryPoints: [join(sources, 'src', 'extension.ts')],
    outdir: join(folder, 'dist'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: ['vscode'],
    logLevel: 'warning',
  });
  return folder;
}

if (process.argv[1] === import.meta.filename) await bundleIntegration();
