import { join } from 'node:path';
import { build } from 'esbuild';

/**
 * Bundles a script of this folder, so that a process of its own can run it.
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
    // Notices of the extension come along; no process shows one.
    alias: {
      'graceful-fs': 'node:fs',
      vscode: join(import.meta.dirname, '../../support/vscode-window.ts'),
    },
    // As the extension's own bundle does: the lock asks for Node's modules with `require`.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  });
  return outfile;
}
