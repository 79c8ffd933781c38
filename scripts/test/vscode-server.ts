import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream, existsSync, type WriteStream } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { ensureServer } from './host-cache.ts';
import { guardTree, stopTree } from './process-tree.ts';
import { uriPath } from './uri-path.ts';

export interface ServerOptions {
  /** Folder for the server's settings, storage and installed extensions. */
  readonly dataFolder: string;
  /** Path of the log with the server's output. */
  readonly logFile: string;
  /** True if folders are trusted when they are opened. Otherwise, they open in Restricted Mode. */
  readonly trust: boolean;
  /** True if pages may run tests in the extension host. Notifications are then not shown. */
  readonly takesTests?: boolean;
  /** False to leave messages between a page and its extension host uncompressed, as on a desktop. */
  readonly compresses?: boolean;
  /** A port, or a range `from-to` whose first free port is used. If omitted, any free port is used. */
  readonly port?: string;
  /** Environment variables for the server and its extensions, in addition to those of this process. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Environment variables for a server that uses no gallery of extensions on the network. */
export const withoutGallery = { EXTENSIONS_GALLERY: '{}' };

/** Folders and extensions that a page of the workbench opens. Paths are absolute. */
export interface WorkbenchPage {
  readonly folder: string;
  /** Folder of an extension to load for development. Only for servers that take tests. */
  readonly developmentPath?: string;
  /** Path of a module with tests for that extension. The extension host calls its `run()`. */
  readonly testsPath?: string;
}

export interface VscodeServer {
  /** Returns the address of a workbench, with the token that the server requires. */
  readonly url: (page: WorkbenchPage) => string;
  /** Stops the server and everything that it started. */
  readonly stop: () => Promise<void>;
  /** Settles if the server ends without having been stopped. */
  readonly crash: Promise<void>;
}

/**
 * Starts a VS Code server on this machine, and waits until it listens. Installs the server first if it is missing.
 *
 * @throws Error with the path of the log if the server ends before it listens
 */
export async function startServer(options: ServerOptions): Promise<VscodeServer> {
  const script = await ensureServer();
  await mkdir(options.dataFolder, { recursive: true });
  await mkdir(dirname(options.logFile), { recursive: true });
  const token = await connectionToken(options.dataFolder);
  const log = createWriteStream(options.logFile);
  await once(log, 'open');
  const child = spawn(process.execPath, [script, ...serverArguments(options)], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...options.environment },
    // A separate process group, so that extension hosts end with the server.
    detached: process.platform !== 'win32',
  });
  const crash = guardTree(child);
  try {
    const port = await listeningPort(child, log, options.logFile);
    return {
      url: (page) => workbenchUrl(`127.0.0.1:${port}`, token, page),
      stop: () => stopTree(child),
      crash,
    };
  } catch (error) {
    await stopTree(child);
    throw error;
  }
}

function serverArguments({
  dataFolder,
  trust,
  takesTests = false,
  compresses = true,
  port = '0',
}: ServerOptions): readonly string[] {
  return [
    ...['--host', '127.0.0.1', '--port', port],
    ...['--server-data-dir', dataFolder, '--connection-token-file', tokenFile(dataFolder)],
    ...['--accept-server-license-terms', '--disable-telemetry'],
    // Extensions get the environment of the server. The start-up files of a login shell would change it.
    '--force-disable-user-env',
    ...(trust ? ['--disable-workspace-trust'] : []),
    ...(takesTests ? ['--enable-smoke-test-driver'] : []),
    ...(compresses ? [] : ['--disable-websocket-compression']),
  ];
}

function tokenFile(dataFolder: string): string {
  return join(dataFolder, 'connection-token');
}

/** The token of a data folder. It is stored, so that an open page still works after a restart. */
async function connectionToken(dataFolder: string): Promise<string> {
  const file = tokenFile(dataFolder);
  if (!existsSync(file)) await writeFile(file, randomUUID(), { mode: 0o600 });
  return readFile(file, 'utf8');
}

/** Waits for the line with the server's port. All output is written to the log. */
function listeningPort(child: ChildProcess, log: WriteStream, logFile: string): Promise<string> {
  let isPortTaken = false;
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.pipe(log, { end: false });
      createInterface(stream).on('line', (line) => {
        const port = /^Extension host agent listening on (\d+)/.exec(line)?.[1];
        if (port !== undefined) resolve(port);
        isPortTaken ||= /Could not find free port|EADDRINUSE/.test(line);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => {
      log.end();
      const reason = isPortTaken
        ? 'No port is free for it; choose others with --port'
        : `Its log is ${logFile}`;
      reject(new Error(`The VS Code server ended with code ${code ?? 1}. ${reason}.`));
    });
  });
}

function workbenchUrl(
  authority: string,
  token: string,
  { folder, developmentPath, testsPath }: WorkbenchPage,
): string {
  const query = new URLSearchParams({ tkn: token, folder: uriPath(folder) });
  if (developmentPath !== undefined) {
    const remote = (path: string): string => `vscode-remote://${authority}${pathToFileURL(path).pathname}`;
    const payload = [
      ['skipWelcome', 'true'],
      ['extensionDevelopmentPath', remote(developmentPath)],
      ...(testsPath === undefined ? [] : [['extensionTestsPath', remote(testsPath)]]),
    ];
    query.set('payload', JSON.stringify(payload));
  }
  return `http://${authority}/?${query.toString()}`;
}
