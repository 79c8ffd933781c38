/**
 * Bundles the extension, the command line and the webviews into `dist/`. For production, also writes the
 * notices and the bill of materials of the bundles.
 *
 * Usage: node scripts/build.ts [--watch] [--production]
 */
import { rm } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import * as esbuild from 'esbuild';
import {
  activationBundle,
  hookBundle,
  nodeBundles,
  strategyBundle,
  webviewBundles,
} from './build/build-options.ts';
import { writeThirdParty } from './build/third-party.ts';

const { values } = parseArgs({
  options: {
    watch: { type: 'boolean', default: false },
    production: { type: 'boolean', default: false },
  },
});
const choice = { isProduction: values.production };
const bundles = [activationBundle, nodeBundles, hookBundle, strategyBundle, webviewBundles].map((bundle) =>
  bundle(choice),
);

// Until the first build is complete, an open window keeps using the previous build.
if (!values.watch) await rm('dist', { recursive: true, force: true });
if (values.watch) {
  for (const options of bundles) await (await esbuild.context(options)).watch();
  console.log('Watching for changes.');
} else {
  const built = await Promise.all(bundles.map((options) => esbuild.build({ ...options, metafile: true })));
  if (values.production) await writeThirdParty(built.map(({ metafile }) => metafile));
}
