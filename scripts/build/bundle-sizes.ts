import { build, type Metafile } from 'esbuild';
import {
  activationBundle,
  hookBundle,
  nodeBundles,
  strategyBundle,
  webviewBundles,
} from './build-options.ts';

/** Sizes of the minified production bundles, in bytes. */
export interface BundleSizes {
  /** Size of the code that activation loads. */
  readonly activation: number;
  /** Size of the code that each window loads after activation. */
  readonly window: number;
  /** Size of all code that runs in Node, without the vocabularies of the token counter. */
  readonly node: number;
  /** Size of the packages in the code that runs in Node. */
  readonly packages: number;
  readonly chat: number;
  readonly inspector: number;
  /** Number of scripts that run in Node. */
  readonly files: number;
}

/** Maximum size of each bundle. A test fails above it. */
export const mostOf: BundleSizes = {
  activation: 9_700,
  window: 1_511_500,
  node: 2_515_000,
  packages: 520_000,
  chat: 320_000,
  inspector: 368_000,
  files: 22,
};

/** Bundles for production without writing files, and returns the sizes. */
export async function bundleSizes(): Promise<BundleSizes> {
  const options = [activationBundle, nodeBundles, hookBundle, strategyBundle, webviewBundles].map((bundle) =>
    bundle({ isProduction: true }),
  );
  const built = await Promise.all(options.map((one) => build({ ...one, write: false, metafile: true })));
  const outputs = Object.fromEntries(built.flatMap(({ metafile }) => Object.entries(metafile.outputs)));
  const sizeOf = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + (outputs[name]?.bytes ?? NaN), 0);
  const scripts = Object.keys(outputs).filter((name) => /^dist\/[^/]+\.c?js$/.test(name));
  const activation = loadedBy('dist/extension.cjs', { outputs });
  const rest = [...loadedBy('dist/extension-later.js', { outputs })];
  const parts = scripts.flatMap((name) => Object.entries(outputs[name]?.inputs ?? {}));
  const bytesOf = (isMeant: (path: string) => boolean) =>
    parts.reduce((sum, [path, { bytesInOutput }]) => sum + (isMeant(path) ? bytesInOutput : 0), 0);
  return {
    activation: sizeOf(activation),
    window: sizeOf(rest.filter((name) => !activation.has(name))),
    node: sizeOf(scripts) - bytesOf(isVocabulary),
    packages: bytesOf((path) => path.includes('node_modules/') && !isVocabulary(path)),
    chat: sizeOf(['dist/webview/chat.js']),
    inspector: sizeOf(['dist/webview/inspector.js']),
    files: scripts.length,
  };
}

/** An output and all outputs that it imports statically. */
export function loadedBy(output: string, { outputs }: Pick<Metafile, 'outputs'>): ReadonlySet<string> {
  const loaded = new Set<string>();
  const visit = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const { path, kind, external } of outputs[name]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) visit(path);
    }
  };
  visit(output);
  return loaded;
}

export function isVocabulary(path: string): boolean {
  return /(?:o200k|cl100k)_base/.test(path);
}
