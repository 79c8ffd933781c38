import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { runCommand } from './run-command.ts';

/** The npm package that holds a whole VS Code server, for VS Code 1.139.1, in its folder `lib/vscode`. */
const serverPackage = 'code-server';
const serverVersion = '4.139.1';

/** Folder for what this project keeps per user, outside the checkout: the VS Code server, data of `npm start`. */
export function cacheFolder(): string {
  return join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'context-budget');
}

/**
 * Makes sure that a VS Code server is installed, which takes half a minute the first time.
 *
 * It is built in a folder next to its final place and renamed when complete: an install that was interrupted is never
 * used, and where two processes install at once the second finds the place taken and uses what is there.
 *
 * @param report shows one line of progress
 * @returns path of the script that starts the server
 * @throws Error with npm's own words where a package cannot be fetched
 */
export async function ensureServer(report: (line: string) => void = console.log): Promise<string> {
  const folder = join(cacheFolder(), `vscode-server-${serverVersion}`);
  const script = join(folder, 'out', 'server-main.js');
  if (existsSync(script)) return script;

  await mkdir(dirname(folder), { recursive: true });
  await removeAbandoned(folder);
  const startedAt = Date.now();
  report(`Installing a VS Code server (${serverPackage} ${serverVersion}, 600 MB) into ${folder}, once.`);
  const building = await mkdtemp(`${folder}.partial-`);
  try {
    await place(await build(building, report), folder);
  } finally {
    await rm(building, { recursive: true, force: true });
  }
  report(`Installed the VS Code server in ${Math.round((Date.now() - startedAt) / 1000)} s.`);
  return script;
}

/** @returns the folder of the server, inside the one given */
async function build(building: string, report: (line: string) => void): Promise<string> {
  report('  1/3 Downloading the server (45 MB) …');
  await npm(building, ['pack', `${serverPackage}@${serverVersion}`]);
  report('  2/3 Unpacking it …');
  const archive = `${serverPackage}-${serverVersion}.tgz`;
  await check('tar', ['-xzf', archive, 'package/lib/vscode'], building);
  report('  3/3 Installing its modules …');
  const server = join(building, 'package', 'lib', 'vscode');
  // TypeScript, for the editor, is a module of the extensions that come with the server.
  for (const cwd of [server, join(server, 'extensions')]) {
    await npm(cwd, ['install', '--omit=dev', '--no-audit', '--no-fund']);
  }
  return server;
}

/** Install scripts stay off: they compile native modules that need headers, and the server runs without them. */
function npm(cwd: string, commandArguments: readonly string[]): Promise<void> {
  return check('npm', [...commandArguments, '--ignore-scripts', '--loglevel=error'], cwd);
}

async function check(command: string, commandArguments: readonly string[], cwd: string): Promise<void> {
  const { code, output } = await runCommand(command, commandArguments, { cwd });
  if (code !== 0) throw new Error(`${command} ${commandArguments.join(' ')} failed:\n${output.trim()}`);
}

async function place(server: string, folder: string): Promise<void> {
  try {
    await rename(server, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
}

/** Removes leftovers of killed installations. An installation still in progress is newer. */
async function removeAbandoned(folder: string): Promise<void> {
  const oldest = Date.now() - 6 * 60 * 60 * 1000;
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(`${basename(folder)}.partial-`)) continue;
    const path = join(dirname(folder), name);
    const isAbandoned = await stat(path).then(
      ({ mtimeMs }) => mtimeMs < oldest,
      () => false,
    );
    if (isAbandoned) await rm(path, { recursive: true, force: true });
  }
}
