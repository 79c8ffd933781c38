import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A separate directory for one test, with real files. */
export class TemporaryWorkspace {
  /** Absolute, without symbolic links. */
  readonly path: string;

  static async create(
    files: Readonly<Record<string, string | Uint8Array>> = {},
  ): Promise<TemporaryWorkspace> {
    const directory = await realpath(await mkdtemp(path.join(tmpdir(), 'workspace-')));
    const workspace = new TemporaryWorkspace(directory);
    for (const [name, content] of Object.entries(files)) await workspace.write(name, content);
    return workspace;
  }

  private constructor(directory: string) {
    this.path = directory;
  }

  at(name: string): string {
    return path.join(this.path, name);
  }

  async write(name: string, content: string | Uint8Array): Promise<void> {
    await mkdir(path.dirname(this.at(name)), { recursive: true });
    await writeFile(this.at(name), content);
  }

  async link(name: string, target: string): Promise<void> {
    await mkdir(path.dirname(this.at(name)), { recursive: true });
    await symlink(target, this.at(name));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.path, { recursive: true, force: true });
  }
}
