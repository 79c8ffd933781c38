import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectFolder } from '../../scripts/project.ts';
import { userSettingsFile } from '../../scripts/test/quiet-settings.ts';
import type { VscodeHost } from './vscode-host.ts';
import type { VscodeWorkbench, WorkbenchOptions } from './vscode-workbench.ts';

/** The storage of one version of the extension, from the fixtures. */
export class EarlierStorage {
  readonly folder: string;

  constructor(version: string) {
    this.folder = join(projectFolder, 'test', 'fixtures', `storage-${version}`);
  }

  /** Path of the only session that is not a sub-agent's. */
  async session(): Promise<string> {
    const sessions = join(this.forWorkspace, 'sessions');
    const [name, ...others] = (await readdir(sessions)).filter((file) => file.endsWith('.jsonl'));
    if (name === undefined || others.length > 0) throw new Error(`Expected one session in ${sessions}.`);
    return join(sessions, name);
  }

  /** The folder of stored data for the workspace. */
  get forWorkspace(): string {
    return join(this.folder, 'workspace-storage');
  }

  /** Options of a window in which the user continues with a later version. */
  async options(): Promise<WorkbenchOptions> {
    return {
      workspace: this.workspace,
      settings: await readSettings(join(this.workspace, settingsFile)),
      userSettings: await readSettings(this.userSettings),
      storage: this,
    };
  }

  /** Copies it to the places where a window on a folder looks for it. */
  async layOut(host: VscodeHost, folder: string): Promise<void> {
    const forWorkspace = storageOf(host.workspaceStorage(folder));
    await cp(this.forWorkspace, forWorkspace, { recursive: true });
    await replaceIn(forWorkspace, placeholder, folder);
    await cp(this.forAll, storageOf(host.globalStorage), { recursive: true });
  }

  /**
   * Takes it from the current storage of a window.
   *
   * @throws if one of this version exists, which stays unchanged
   */
  async keep({ host, workspace }: Pick<VscodeWorkbench, 'host' | 'workspace'>): Promise<void> {
    await mkdir(this.folder);
    await cp(storageOf(host.workspaceStorage(workspace.path)), this.forWorkspace, {
      recursive: true,
      // The window still has the session.
      filter: (path) => !/\.(?:lock|owner|ask)$/u.test(path),
    });
    await replaceIn(this.forWorkspace, workspace.path, placeholder);
    await cp(storageOf(host.globalStorage), this.forAll, { recursive: true });
    await cp(workspace.path, this.workspace, { recursive: true });
    const settings = await readSettings(userSettingsFile(host.folder));
    const own = Object.entries(settings).filter(([name]) => name.startsWith('contextBudget.'));
    await writeFile(this.userSettings, JSON.stringify(Object.fromEntries(own), null, 2));
  }

  private get forAll(): string {
    return join(this.folder, 'global-storage');
  }

  private get workspace(): string {
    return join(this.folder, 'workspace');
  }

  private get userSettings(): string {
    return join(this.folder, 'user-settings.json');
  }
}

/** Replaces the path of the workspace in the files. */
const placeholder = '/workspace-folder';

const settingsFile = '.vscode/settings.json';

function storageOf(folder: string): string {
  return join(folder, 'context-budget.context-budget');
}

async function readSettings(path: string): Promise<Readonly<Record<string, unknown>>> {
  return JSON.parse(await readFile(path, 'utf8')) as Readonly<Record<string, unknown>>;
}

async function replaceIn(folder: string, text: string, replacement: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.jsonl')) continue;
    const path = join(folder, name);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(text, replacement));
  }
}
