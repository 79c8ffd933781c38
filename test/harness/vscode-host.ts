import { globSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installExtension, linkExtension } from '../../scripts/test/extensions.ts';
import { projectFolder, resultsFolder } from '../../scripts/project.ts';
import { writeMachineSettings, writeQuietSettings } from '../../scripts/test/quiet-settings.ts';
import { startServer, type VscodeServer, withoutGallery } from '../../scripts/test/vscode-server.ts';
import { agentFolders } from './foreign-sessions.ts';
import { until } from '../support/eventually.ts';

/** Settings of the server, and whether every folder is trusted. */
export interface HostSettings {
  readonly user: Readonly<Record<string, unknown>>;
  readonly machine: Readonly<Record<string, unknown>>;
  readonly trust: boolean;
}

/** An extension other than the checkout's build: a package to install, or a folder that is loaded for development. */
export type OtherExtension =
  | { readonly vsix: string }
  /** No notification pops up then. */
  | { readonly developmentFolder: string };

/** The folders for stored data of one window, separate from those of earlier windows. */
export interface WindowStorage {
  /** Paths of all files that extensions of the window stored for its workspace. */
  readonly files: () => Promise<readonly string[]>;
}

/**
 * A VS Code server with an extension. Its windows are opened one after the other. Each has a separate
 * extension host, workspace, browser storage and settings.
 */
export class VscodeHost {
  readonly server: VscodeServer;
  /** Folder of settings, storage and installed extensions. */
  readonly folder: string;
  private readonly developmentPath: string | undefined;

  private constructor(server: VscodeServer, folder: string, developmentPath: string | undefined) {
    this.server = server;
    this.folder = folder;
    this.developmentPath = developmentPath;
  }

  /** @param extension the checkout's build by default */
  static async start(extension?: OtherExtension): Promise<VscodeHost> {
    const folder = await mkdtemp(join(tmpdir(), 'vscode-host-'));
    const agents = join(folder, 'agents');
    await mkdir(agents);
    if (extension === undefined) await linkExtension(folder, projectFolder);
    else if ('vsix' in extension) await installExtension(folder, extension.vsix);
    const developmentPath =
      extension !== undefined && 'developmentFolder' in extension ? extension.developmentFolder : undefined;
    const server = await startServer({
      dataFolder: folder,
      logFile: join(
        resultsFolder,
        extension === undefined ? 'end-to-end-server.log' : 'other-extension-server.log',
      ),
      // The settings of each window decide if it asks for trust.
      trust: false,
      takesTests: developmentPath !== undefined,
      // An installed extension reads the usual folders of a home.
      environment: {
        ...withoutGallery,
        PATH: [programsIn(agents), process.env['PATH']].join(delimiter),
        ...(extension !== undefined && 'vsix' in extension
          ? { HOME: agents, CONTEXT_BUDGET_STATE: join(agents, 'state') }
          : agentFolders(agents)),
      },
    });
    // Runs after the handler that ends the server, which would write into the folder again.
    process.once('exit', () => rmSync(folder, removal));
    return new VscodeHost(server, folder, developmentPath);
  }

  /** Address of a window on a folder. */
  url(folder: string): string {
    const { developmentPath } = this;
    return this.server.url({ folder, ...(developmentPath !== undefined && { developmentPath }) });
  }

  /** Folder that is searched for sessions of other agents: the home of an installed extension. Empty for each window. */
  get agentsFolder(): string {
    return join(this.folder, 'agents');
  }

  /** Folder that comes first on the path. Empty for each window. */
  get programsFolder(): string {
    return programsIn(this.agentsFolder);
  }

  /** Folder in which extensions keep data for all workspaces. Empty for each window. */
  get globalStorage(): string {
    return join(this.folder, 'data', 'User', 'globalStorage');
  }

  /**
   * Folder in which extensions keep data of one workspace, whether or not it was opened. VS Code names it by its own
   * hash of the folder's URI.
   */
  workspaceStorage(folder: string): string {
    const uri = `vscode-remote://${new URL(this.url(folder)).host}${pathToFileURL(folder).pathname}`;
    const hash = (value: number, code: number) => ((value << 5) - value + code) | 0;
    const name = Array.from(uri, (character) => character.charCodeAt(0)).reduce(hash, hash(0, 149_417));
    return join(this.folder, 'data', 'User', 'workspaceStorage', name.toString(16));
  }

  /** Removes data of earlier windows for all workspaces, and writes the settings of the next one. */
  async prepare({ user, machine, trust }: HostSettings): Promise<WindowStorage> {
    const left = [this.agentsFolder, this.globalStorage, join(this.folder, 'data', 'User', 'settings.json')];
    for (const path of left) await rm(path, removal);
    const trustSettings = trust
      ? { 'security.workspace.trust.enabled': false }
      : { 'security.workspace.trust.startupPrompt': 'never' };
    await writeQuietSettings(this.folder, { ...steadySettings, ...trustSettings, ...user });
    await writeMachineSettings(this.folder, machine);
    const earlier = new Set(await this.workspaces());
    return {
      files: async () => {
        const own = (await this.workspaces()).filter((path) => !earlier.has(path));
        return (await Promise.all(own.map(filesIn))).flat();
      },
    };
  }

  /** Number of starts of the extension. Each makes a folder for its log. */
  starts(): number {
    const pattern = join('data', 'logs', '*', 'exthost*', 'context-budget.context-budget');
    return globSync(pattern, { cwd: this.folder }).length;
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.folder, removal);
  }

  /** A folder for each workspace that was opened. */
  private async workspaces(): Promise<readonly string[]> {
    const folder = join(this.folder, 'data', 'User', 'workspaceStorage');
    return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
  }
}

/** On a busy machine, a tooltip may stay when the mouse has left, and cover a button. The unit is milliseconds. */
export const noTooltips = { 'workbench.hover.delay': 3_600_000 };

/**
 * Settings under which an idle window draws nothing, because drawing without a graphics card takes processor
 * time. A list stays open when a page gets the focus late.
 */
const steadySettings = {
  ...noTooltips,
  'workbench.quickOpen.closeOnFocusLost': false,
  'editor.cursorBlinking': 'solid',
  'editor.minimap.enabled': false,
  'workbench.reduceMotion': 'on',
};

let shared: Promise<VscodeHost> | undefined;

/** The host of this process with the checkout's build: started for the first file, reused by later files. */
export function sharedHost(): Promise<VscodeHost> {
  shared ??= VscodeHost.start();
  return shared;
}

const removal = { recursive: true, force: true, maxRetries: 5 };

function programsIn(agents: string): string {
  return join(agents, 'programs');
}

async function filesIn(folder: string): Promise<readonly string[]> {
  // A lock is a folder. If it disappears during the reading, the whole reading fails.
  const entries = await until(() => readdir(folder, { recursive: true, withFileTypes: true }));
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
}
