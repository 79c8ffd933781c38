import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { replaceFile } from '../../agent/files/replace-file.ts';
import { ensureFolder } from '../hooks/note-files.ts';
import type { Launcher } from './agent-config.ts';

const run = promisify(execFile);
/** The oldest major version of Node that the program runs on. */
export const oldestNode = 20;

/**
 * Writes the script that agents call. Its path stays the same and it loads the installed version's program, because the
 * folder of an extension changes with every update. Without the program it exits successfully. Except on Windows, a
 * shell script around it finds a Node: agents with their own runtime may have none on their path.
 *
 * @param folder of our own state
 * @param program absolute path of the command line program
 * @param runtimes absolute paths of programs that run Node, best first, including the editor's own
 */
export async function writeLauncher(
  folder: string,
  program: string,
  runtimes: readonly string[],
): Promise<void> {
  const script = join(folder, 'bin', `${scriptName}.mjs`);
  await ensureFolder(dirname(script));
  await writeIfOther(
    script,
    [
      '// Written by Context Budget; starts the command line program of the installed version.',
      `const program = ${JSON.stringify(pathToFileURL(program).href)};`,
      'await import(program).catch(() => {});',
      '',
    ].join('\n'),
  );
  await writeIfOther(join(folder, 'bin', `${scriptName}.sh`), shellScript(script, runtimes));
}

/** Writes the script again if it is there, so that it loads the program of this version. */
export async function refreshLauncher(folder: string, program: string): Promise<void> {
  if (!existsSync(join(folder, 'bin', `${scriptName}.mjs`))) return;
  await writeLauncher(folder, program, await runtimesHere());
}

/** Programs that run Node: the one on the path, if it is new enough, and the one that runs this process. */
export async function runtimesHere(): Promise<readonly string[]> {
  const node = await nodeOnPath();
  return [...(node === undefined ? [] : [node]), process.execPath];
}

/**
 * Returns the call of the script for agents; the script need not exist.
 *
 * @param platform as Node names it
 */
export function launcherIn(folder: string, platform: string): Launcher {
  const script = join(folder, 'bin', scriptName);
  return platform === 'win32'
    ? { program: 'node', script: `${script}.mjs` }
    : { program: '/bin/sh', script: `${script}.sh` };
}

/** @returns the absolute path of `node` on the PATH; undefined if it is missing or too old */
export async function nodeOnPath(): Promise<string | undefined> {
  try {
    const told = 'console.log(process.versions.node + " " + process.execPath)';
    const { stdout } = await run('node', ['-e', told], { timeout: 10_000 });
    const [, major, path] = /^(\d+)\.\S* (.+)$/mu.exec(stdout) ?? [];
    return Number(major) >= oldestNode ? path : undefined;
  } catch {
    return undefined;
  }
}

const scriptName = 'context-budget';

/**
 * Shell script that runs the program. The variable makes the editor's runtime behave as Node; Node itself ignores it.
 */
function shellScript(script: string, runtimes: readonly string[]): string {
  return [
    '# Written by Context Budget; finds a Node.js for the script beside it.',
    `for node in ${runtimes.map(quoted).join(' ')}; do`,
    `  [ -x "$node" ] && ELECTRON_RUN_AS_NODE=1 exec "$node" ${quoted(script)} "$@"`,
    'done',
    `command -v node >/dev/null 2>&1 && exec node ${quoted(script)} "$@"`,
    `echo 'Context Budget needs Node.js ${oldestNode} or newer on the path, or the editor that it is installed in.' >&2`,
    '# An agent goes on without its hooks, but has to know that a server did not start.',
    '[ "$1" = hook ]',
    '',
  ].join('\n');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

async function writeIfOther(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => '')) !== text) await replaceFile(path, text);
}
