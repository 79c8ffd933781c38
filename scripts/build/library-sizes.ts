/**
 * Prints how much an import from the library adds to a minified bundle: code that is loaded at once, and code that is
 * loaded on first use, without the vocabulary of the counter. Needs a built `dist/library`.
 *
 * Usage: node scripts/build/library-sizes.ts
 */
import { gzipSync } from 'node:zlib';
import * as esbuild from 'esbuild';
import { libraryFolder } from '../build-library.ts';
import { runMain } from '../run-main.ts';
import { isVocabulary } from './bundle-sizes.ts';

/** Size of a bundle in bytes. */
export interface ImportSize {
  /** Size of the code that is loaded with the program. */
  readonly atOnce: number;
  /** Compressed size of the code that is loaded with the program. */
  readonly compressed: number;
  /** Size of the code that is loaded on first use, without vocabularies. */
  readonly later: number;
}

/** The imports whose sizes `docs/library.md` states. */
export const statedImports = {
  countTokens: `export { countTokens } from './engine.js'`,
  'one strategy, such as toolResultHiding': `export { toolResultHiding } from './engine.js'`,
  'Conversation with toolResultHiding': `export { Conversation, toolResultHiding, toOpenai } from './engine.js'`,
  'Conversation with llmSummary': `export { Conversation, llmSummary, toOpenai } from './engine.js'`,
  'everything in engine': `export * from './engine.js'`,
  'everything in formats': `export * from './formats.js'`,
} as const;

/** Bundles a module as a program that uses the library would. */
export async function importSize(code: string): Promise<ImportSize> {
  const { metafile, outputFiles } = await esbuild.build({
    stdin: { contents: code, resolveDir: libraryFolder, sourcefile: 'consumer.js' },
    bundle: true,
    minify: true,
    splitting: true,
    format: 'esm',
    platform: 'neutral',
    legalComments: 'none',
    outdir: 'out/library-sizes',
    write: false,
    metafile: true,
  });
  const entry = Object.entries(metafile.outputs).find(
    ([, { entryPoint }]) => entryPoint?.endsWith('consumer.js') === true,
  );
  const reached = (kinds: readonly string[]): ReadonlySet<string> => {
    const paths = new Set<string>();
    const visit = (path: string): void => {
      if (paths.has(path) || isVocabulary(path)) return;
      paths.add(path);
      const { imports = [] } = metafile.outputs[path] ?? {};
      for (const next of imports) if (kinds.includes(next.kind)) visit(next.path);
    };
    if (entry !== undefined) visit(entry[0]);
    return paths;
  };
  const contents = (paths: ReadonlySet<string>) =>
    outputFiles
      .filter(({ path }) => [...paths].some((name) => path.endsWith(name)))
      .map((file) => file.contents);
  const first = contents(reached(['import-statement']));
  const all = contents(reached(['import-statement', 'dynamic-import']));
  const atOnce = sum(first.map(({ length }) => length));
  return {
    atOnce,
    compressed: sum(first.map((code) => gzipSync(code).length)),
    later: sum(all.map(({ length }) => length)) - atOnce,
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

async function main(): Promise<void> {
  for (const [name, code] of Object.entries(statedImports)) {
    const { atOnce, compressed, later } = await importSize(code);
    const [minified, gzip, rest] = [atOnce, compressed, later].map(
      (bytes) => `${Math.ceil(bytes / 1000)} kB`,
    );
    console.log(`${name}: ${minified} (${gzip} compressed), later ${rest}`);
  }
}

if (process.argv[1] === import.meta.filename) await runMain(main);
