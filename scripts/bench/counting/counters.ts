import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { build } from 'esbuild';
import { installPackages } from './packages.ts';
import { projectFolder } from '../../project.ts';
import { ranksAsMerges } from '../../build/rank-merges.ts';

/** A counter of o200k_base of some package. */
export type Count = (text: string) => number;

const packages = { 'gpt-tokenizer': '4.0.0', tiktoken: '1.0.22' };
const folder = join(projectFolder, 'out', 'bench', 'packages');
const bundle = join(projectFolder, 'out', 'bench', 'counter.mjs');

/**
 * Brings in the packages to compare with, and bundles our counter as the extension has it.
 *
 * @throws where a package cannot be installed
 */
export async function prepareCounters(): Promise<void> {
  await installPackages(packages, folder);
  await build({
    stdin: {
      contents: `
        import file from 'js-tiktoken/ranks/o200k_base';
        import { createTokenCounter } from './src/compaction/tokens/exact-counter.ts';
        export const create = () => createTokenCounter(file);`,
      resolveDir: projectFolder,
    },
    outfile: bundle,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    plugins: [ranksAsMerges],
  });
}

/** Ways to load each counter. What they return makes one that has counted nothing yet. */
export const loaders: Readonly<Record<string, () => Promise<() => Count>>> = {
  ours: async () => ((await import(pathToFileURL(bundle).href)) as { create: () => Count }).create,
  'js-tiktoken': async () => {
    const { Tiktoken } = await import('js-tiktoken/lite');
    const { default: ranks } = await import('js-tiktoken/ranks/o200k_base');
    return () => {
      const encoder = new Tiktoken(ranks);
      return (text) => encoder.encode(text, [], []).length;
    };
  },
  tiktoken: async () => {
    const { get_encoding } = (await import(peer('tiktoken', 'tiktoken.cjs'))) as {
      get_encoding: (name: string) => {
        encode: (text: string, ...special: readonly unknown[]) => Uint32Array;
      };
    };
    return () => {
      const encoder = get_encoding('o200k_base');
      return (text) => encoder.encode(text, [], []).length;
    };
  },
  'gpt-tokenizer': async () => {
    const { countTokens, clearMergeCache } = (await import(
      peer('gpt-tokenizer', 'esm/encoding/o200k_base.js')
    )) as { countTokens: (text: string, options: object) => number; clearMergeCache: () => void };
    return () => {
      clearMergeCache();
      return (text) => countTokens(text, { disallowedSpecial: new Set() });
    };
  },
};

function peer(name: string, path: string): string {
  return pathToFileURL(join(folder, 'node_modules', name, path)).href;
}
