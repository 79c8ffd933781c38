import { join } from 'node:path';
import { installer, installOnce, unpackPackage } from './install-once.ts';

/** The npm package that contains a whole VS Code server for VS Code 1.139.1, in its folder `lib/vscode`. */
const serverPackage = {
  identifier: 'code-server@4.139.1',
  integrity:
    'sha512-fUYvJVdz4ZoVJfakGiGWXFMpF8K1ObsrpGvX17ZxNpKOzdNHs7lANT670JTr4ZhA8DnWqyvvmFG/d3HV9Yy6ew==',
};
const serverScript = join('out', 'server-main.js');

/**
 * Installs a VS Code server if it is missing, which takes half a minute.
 *
 * @param report shows a line of progress
 * @returns path of the script that starts the server
 * @throws Error with the reason if it could not be installed
 */
export async function ensureServer(report: (line: string) => void = console.log): Promise<string> {
  const startedAt = Date.now();
  let isNew = false;
  const folder = await installOnce({
    name: 'vscode-server-4.139.1',
    marker: serverScript,
    build: async (building) => {
      isNew = true;
      report(
        `Installing a VS Code server (${serverPackage.identifier}, 600 MB) into the cache folder, once.`,
      );
      return build(building, report);
    },
  });
  if (isNew) report(`Installed ${folder} in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  return join(folder, serverScript);
}

/** @returns the folder of the server, which is inside the given folder */
async function build(building: string, report: (line: string) => void): Promise<string> {
  report('  1/2 Downloading the server (45 MB) …');
  const server = join(await unpackPackage(building, serverPackage), 'lib', 'vscode');
  report('  2/2 Installing its modules …');
  // TypeScript is a module of the extensions that come with the server. Install scripts stay off, because they
  // compile native modules that need headers, and the server runs without these modules.
  const options = ['--omit=dev', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  for (const cwd of [server, join(server, 'extensions')])
    await installer('npm', ['install', ...options], cwd);
  return server;
}
