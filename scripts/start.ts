/**
 * Builds the extension and opens it in VS Code: on the desktop, or in the browser with a server that is installed on
 * first use.
 *
 * Usage: node scripts/start.ts [--workspace PATH] [--port N] [--desktop]
 */
import { existsSync } from 'node:fs';
import { cp, mkdir, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { linkExtension } from './test/extensions.ts';
import { cacheFolder, makeCacheFolder } from './test/install-once.ts';
import { projectFolder } from './project.ts';
import { writeQuietSettings } from './test/quiet-settings.ts';
import { runCommand } from './test/run-command.ts';
import { runMain } from './run-main.ts';
import { startServer } from './test/vscode-server.ts';

/** Port of the workbench. Browsers store the layout by port, so the port should stay the same. */
const usualPort = 3210;

interface Workspace {
  readonly folder: string;
  /** True to trust the folder. If it belongs to the user, VS Code asks. */
  readonly trust: boolean;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      workspace: { type: 'string' },
      port: { type: 'string', default: String(usualPort) },
      desktop: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!Number.isInteger(port) || port < 1 || port > 65_000)
    throw new Error('--port takes a number up to 65000.');
  await makeCacheFolder();
  const workspace = values.workspace === undefined ? await sampleCopy() : ownFolder(values.workspace);
  await build();
  await (values.desktop ? openDesktop(workspace) : serve(workspace, port));
}

async function build(): Promise<void> {
  const { code } = await runCommand(process.execPath, ['scripts/build.ts'], {
    cwd: projectFolder,
    show: true,
  });
  if (code !== 0) throw new Error('The extension could not be built.');
}

function ownFolder(path: string): Workspace {
  const folder = resolve(process.env['INIT_CWD'] ?? '.', path);
  if (!existsSync(folder)) throw new Error(`There is no folder ${folder}.`);
  return { folder, trust: false };
}

/** Returns a copy of the sample workspace outside the checkout, in which the user's changes are kept. */
async function sampleCopy(): Promise<Workspace> {
  const folder = join(cacheFolder(), 'driftwood');
  if (!existsSync(folder)) await cp(join(projectFolder, 'samples', 'workspace'), folder, { recursive: true });
  // Adds Node's types, because the editor would report errors without them.
  const types = join(folder, 'node_modules', '@types');
  await rm(types, { recursive: true, force: true });
  await mkdir(types, { recursive: true });
  await symlink(join(projectFolder, 'node_modules', '@types', 'node'), join(types, 'node'), 'junction');
  return { folder, trust: true };
}

/** Serves the workbench until Ctrl+C or until the server ends. */
async function serve({ folder, trust }: Workspace, port: number): Promise<void> {
  const dataFolder = join(cacheFolder(), 'start-data');
  await writeQuietSettings(dataFolder, {
    'window.autoDetectColorScheme': true,
  });
  await linkExtension(dataFolder, projectFolder);
  const logFile = join(dataFolder, 'server.log');
  const server = await startServer({ dataFolder, logFile, trust, port: `${port}-${port + 99}` });
  const url = server.url({ folder });
  await fetchPage(url);
  console.log(`Context Budget is ready at ${url}`);
  await server.crash;
  throw new Error(`The VS Code server has crashed; its log is ${logFile}.`);
}

/** @throws if the page of the workbench cannot be loaded */
async function fetchPage(url: string): Promise<void> {
  // The first answer sets a cookie with the token and redirects to the page.
  const { headers } = await fetch(url, { redirect: 'manual' });
  const page = await fetch(new URL(headers.get('location') ?? '', url), {
    headers: { cookie: headers.get('set-cookie')?.split(';')[0] ?? '' },
  });
  if (!page.ok) throw new Error(`The page of the workbench answers ${page.status}.`);
}

async function openDesktop({ folder }: Workspace): Promise<void> {
  const commandArguments = ['--new-window', `--extensionDevelopmentPath=${projectFolder}`, folder];
  const { code, output } = await runCommand('code', commandArguments).catch(() => {
    throw new Error(
      "There is no `code` on the PATH. Install VS Code and run its command \"Shell Command: Install 'code' " +
        'command in PATH", or run `npm start`, which needs none.',
    );
  });
  if (code !== 0) throw new Error(`VS Code could not be opened:\n${output.trim()}`);
}

await runMain(main);
