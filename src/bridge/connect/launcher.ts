import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ensureFolder, writeWhole } from '../hooks/note-files.ts';
import type { Launcher } from './agent-config.ts';

const run = promisify(execFile);
/** The oldest major version of Node that the program runs on. */
export const oldestNode = 20;

/**
 * Writes the script that agents call. Its place stays the same, and it loads the program of the version of the extension
 * that is installed: the folder of an extension changes with every update. Without the program it ends well.
 *
 * @param folder of our own state
 * @param program absolute path of the command line program
 * @returns the path of the script
 */
export async function writeLauncher(folder: string, program: string): Promise<string> {
  const script = launcherScript(folder);
  const text = [
    '// Written by Context Budget; starts the command line program of the installed version.',
    `const program = ${JSON.stringify(pathToFileURL(program).href)};`,
    'await import(program).catch(() => {});',
    '',
  ].join('\n');
  await ensureFolder(dirname(script));
  if ((await readFile(script, 'utf8').catch(() => '')) !== text) await writeWhole(script, text);
  return script;
}

/** Writes the script again if it is there, so that it loads the program of this version. */
export async function refreshLauncher(folder: string, program: string): Promise<void> {
  if (existsSync(launcherScript(folder))) await writeLauncher(folder, program);
}

/** Place of the script, whether it is there or not. */
export function launcherScript(folder: string): string {
  return join(folder, 'bin', 'context-budget.mjs');
}

/** @returns a launcher with the `node` of the PATH; undefined if there is none, or too old a one */
export async function launcherOf(script: string): Promise<Launcher | undefined> {
  try {
    const { stdout } = await run('node', ['--version'], { timeout: 10_000 });
    const major = Number(/^v(\d+)\./u.exec(stdout)?.[1]);
    return major >= oldestNode ? { node: 'node', script } : undefined;
  } catch {
    return undefined;
  }
}
