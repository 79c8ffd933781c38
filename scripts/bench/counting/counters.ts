import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ranksAsMerges } from '../../build/rank-merges.ts';
import { projectFolder } from '../../project.ts';
import { installPackages } from './packages.ts';

/** Counts tokens of o200k_base. */
export type Count = (text: string) => number;

/** A counter whose vocabulary is loaded. @returns a counter that has counted nothing */
export type CreateCounter = () => Count;

/** Programs that count, by the names that the page gives them. */
export const counterNames = ['ours', 'js-tiktoken', 'tiktoken (WASM)', 'gpt-tokenizer'] as const;
export type CounterName = (typeof counterNames)[number];

const folder = join(projectFolder, 'out', 'bench', 'packages');
const bundle = join(projectFolder, 'out', 'bench', 'counter.mjs');

/**
 * Installs the packages to compare with, and bundles our counter as the extension does.
 *
 * @throws if a package cannot be installed
 */
export async function prepareCounters(): Promise<void> {
  await installPackages({ tiktoken: '1.0.22', 'gpt-tokenizer': '4.0.0' }, folder);
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
}

/** Loads a prepared counter with its vocabulary. */
export const loadCounter: Readonly<Record<CounterName, () => Promise<CreateCounter>>> = {
  async ours() {
    const { create } = await importFile<{ create: CreateCounter }>(bundle);
    const first = create();
    let isUsed = false;
    return () => {
      if (isUsed) return create();
      isUsed = true;
      return first;
    };
  },
  async 'js-tiktoken'() {
    const { Tiktoken } = await import('js-tiktoken/lite');
    const { default: ranks } = await import('js-tiktoken/ranks/o200k_base');
    const encoder = new Tiktoken(ranks);
    return () => (text) => encoder.encode(text, [], []).length;
  },
  async 'tiktoken (WASM)'() {
    interface Encoder {
      encode(text: string, ...special: readonly unknown[]): Uint32Array;
    }
    const file = join(folder, 'node_modules', 'tiktoken', 'tiktoken.cjs');
    const { get_encoding } = await importFile<{ get_encoding: (name: string) => Encoder }>(file);
    const encoder = get_encoding('o200k_base');
    return () => (text) => encoder.encode(text, [], []).length;
  },
  async 'gpt-tokenizer'() {
    interface Encoding {
      encode(text: string, options: { disallowedSpecial: ReadonlySet<string> }): readonly number[];
      clearMergeCache(): void;
    }
    const file = join(folder, 'node_modules', 'gpt-tokenizer', 'esm', 'encoding', 'o200k_base.js');
    const { encode, clearMergeCache } = await importFile<Encoding>(file);
    return () => {
      clearMergeCache();
      return (text) => encode(text, { disallowedSpecial: new Set() }).length;
    };
  },
};

async function importFile<Module>(path: string): Promise<Module> {
  return (await import(pathToFileURL(path).href)) as Module;
}
