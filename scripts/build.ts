/**
 * Bundles the extension, the command line and the webviews into `dist/`.
 *
 * Usage: node scripts/build.ts [--watch] [--production]
 */
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';

const { values } = parseArgs({
  options: {
    watch: { type: 'boolean', default: false },
    production: { type: 'boolean', default: false },
  },
});

const shared: esbuild.BuildOptions = {
  bundle: true,
  minify: values.production,
  sourcemap: values.production ? false : 'linked',
  legalComments: values.production ? 'linked' : 'none',
  logLevel: 'warning',
};

/**
 * Code that runs in Node. Splitting keeps what is imported dynamically, the ranks of the token counter and the
 * openai client, in files of their own that are loaded when they are first needed.
 */
const node: esbuild.BuildOptions = {
  ...shared,
  entryPoints: {
    extension: 'src/extension/extension.ts',
    'counter-worker': 'src/extension/counting/counter-worker.ts',
    cli: 'src/cli/main.ts',
  },
  outdir: 'dist',
  platform: 'node',
  target: 'node20',
  format: 'esm',
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  external: ['vscode'],
};

/** Code that runs in a webview: one file each, because a strict content security policy admits one script. */
const webviews: esbuild.BuildOptions = {
  ...shared,
  entryPoints: { chat: 'webview/chat/main.ts', inspector: 'webview/inspector/main.ts' },
  outdir: 'dist/webview',
  platform: 'browser',
  target: 'chrome130',
  format: 'iife',
};

await rm('dist', { recursive: true, force: true });
if (values.watch) {
  for (const options of [node, webviews]) await (await esbuild.context(options)).watch();
  console.log('Watching for changes.');
} else await Promise.all([esbuild.build(node), esbuild.build(webviews)]);
