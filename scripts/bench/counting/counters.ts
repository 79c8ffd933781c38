import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ranksAsMerges } from '../../build/rank-merges.ts';
import { projectFolder } from '../../project.ts';
import { installPackages } from './packages.ts';

/** Counts tokens of o200k_base. */
export type Count = (text: string) => number;

const folder = join(projectFolder, 'out', 'bench', 'packages');
const bundle = join(projectFolder, 'out', 'bench', 'counter.mjs');

/**
 * Installs the packages to compare with, and bundles our counter as the extension does.
 *
 * @returns functions that create an unused counter
 * @throws if a package cannot be installed
 */
export async function loadCounters(): Promise<Readonly<Record<'ours' | 'jsTiktoken' | 'wasm', () => Count>>> {
  await installPackages({ tiktoken: '1.0.22' }, folder);
  await build({
    stdin: {
      contents: `
        import file from 'js-tiktoken/ranks/o200k_base';
        import { ExactCounter } from './src/compaction/tokens/exact-counter.ts';
        export const create = () => new ExactCounter(file).count;`,
      resolveDir: projectFolder,
    },
    outfile: bundle,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    plugins: [ranksAsMerges],
  });
  const { create } = (await import(pathToFileURL(bundle).href)) as { create: () => Count };
  const { Tiktoken } = await import('js-tiktoken/lite');
  const { default: ranks } = await import('js-tiktoken/ranks/o200k_base');
  const wasmModule = join(folder, 'node_modules', 'tiktoken', 'tiktoken.cjs');
  const { get_encoding } = (await import(pathToFileURL(wasmModule).href)) as {
    get_encoding: (name: string) => {
      encode: (text: string, ...special: readonly unknown[]) => Uint32Array;
    };
  };
  return {
    ours: create,
    jsTiktoken: () => {
      const encoder = new Tiktoken(ranks);
      return (text) => encoder.encode(text, [], []).length;
    },
    wasm: () => {
      const encoder = get_encoding('o200k_base');
      return (text) => encoder.encode(text, [], []).length;
    },
  };
}
