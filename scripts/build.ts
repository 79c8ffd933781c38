/**
 * Bundles the extension, the command line and the webviews into `dist/`.
 *
 * Usage: node scripts/build.ts [--watch] [--production]
 */
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import { nodeBundles, webviewBundles } from './build-options.ts';

const { values } = parseArgs({
  options: {
    watch: { type: 'boolean', default: false },
    production: { type: 'boolean', default: false },
  },
});
const choice = { isProduction: values.production };
const bundles = [nodeBundles(choice), webviewBundles(choice)];

await rm('dist', { recursive: true, force: true });
if (values.watch) {
  for (const options of bundles) await (await esbuild.context(options)).watch();
  console.log('Watching for changes.');
} else await Promise.all(bundles.map((options) => esbuild.build(options)));
