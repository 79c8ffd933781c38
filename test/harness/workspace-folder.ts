import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** The folder that a workbench shows. Names of files are relative to it. */
export class WorkspaceFolder {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  read(name: string): Promise<string> {
    return readFile(join(this.path, name), 'utf8');
  }

  async write(name: string, text: string): Promise<void> {
    const file = join(this.path, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  /** Replaces the settings of the workspace. */
  replaceSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    return this.write(settingsFile, JSON.stringify(settings, null, 2));
  }

  /** Adds settings to the existing ones. A workbench reads them later; see its own `changeSettings`. */
  async changeSettings(settings: Readonly<Record<string, unknown>>): Promise<void> {
    const before = JSON.parse(await this.read(settingsFile)) as Readonly<Record<string, unknown>>;
    await this.replaceSettings({ ...before, ...settings });
  }
}

const settingsFile = '.vscode/settings.json';
