import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles a script of this folder, so that a separate process can run it.
 *
 * @returns the path of the bundle
 */
export async function bundledScript(name: string, folder: string): Promise<string> {
  const outfile = join(folder, `${name}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    // Notices of the extension are bundled, too; no process shows one.
    alias: {
      'graceful-fs': 'node:fs',
      vscode: join(import.meta.dirname, '../../support/editor/vscode-window.ts'),
    },
    // Like the extension's own bundle, because the lock asks for Node's modules with `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
}
