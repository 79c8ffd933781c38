import { existsSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../../scripts/project.ts';
import { runCommand } from '../../../scripts/test/run-command.ts';

interface Folders {
  readonly home: string;
  readonly temporary: string;
  readonly cache: string;
}

/** Runs a process with its own folders and returns them. */
async function ownFolders(): Promise<Folders> {
  const module = (name: string): string => JSON.stringify(join(projectFolder, 'scripts', name));
  const script = `
    const { useOwnFolders } = await import(${module('test/own-folders.ts')});
    const { cacheFolder } = await import(${module('test/install-once.ts')});
    const { homedir, tmpdir } = await import('node:os');
    useOwnFolders();
    console.log(JSON.stringify({ home: homedir(), temporary: tmpdir(), cache: cacheFolder() }));
  `;
  const environment = {
    CONTEXT_BUDGET_OWN_FOLDERS: '',
    CONTEXT_BUDGET_CACHE: '',
    XDG_CACHE_HOME: '/the/cache',
  };
  const { output } = await runCommand(process.execPath, ['--input-type=module', '--eval', script], {
    environment,
  });
  return JSON.parse(output) as Folders;
}

describe('useOwnFolders', () => {
  it('gives a process its own home and temporary folder', async () => {
    const { home, temporary } = await ownFolders();
    expect(home).not.toBe(homedir());
    expect(temporary).not.toBe(tmpdir());
  });

  it('leaves the cache folder unchanged', async () => {
    const { cache } = await ownFolders();
    expect(cache).toBe(join('/the/cache', 'context-budget'));
  });

  it('removes the folders when the process ends', async () => {
    const { home, temporary } = await ownFolders();
    expect([existsSync(home), existsSync(temporary)]).toEqual([false, false]);
  });

  it('gave this test run its own folders', () => {
    expect(homedir().startsWith(process.env['CONTEXT_BUDGET_OWN_FOLDERS'] ?? '?')).toBe(true);
    expect(tmpdir().startsWith(process.env['CONTEXT_BUDGET_OWN_FOLDERS'] ?? '?')).toBe(true);
  });
});
