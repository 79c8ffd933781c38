import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { replaceFile } from '../../agent/files/replace-file.ts';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import type { Launcher } from './agent-config.ts';
import { ensureStateFolder } from './config-file.ts';
import { bareWord, nodeOnPath, oldestNode, runtimesHere } from './find-node.ts';

/**
 * Writes the script that agents call. Its path is stable, while an extension's folder changes with every update. It
 * loads the installed version's program, and exits successfully if the program is missing. Except on Windows, a shell
 * script around it finds Node, because agents with their own runtime may have no Node on the PATH.
 * @param folder our state folder
 * @param program absolute path of the command line program
 * @param runtimes absolute paths of programs that run Node, best first, including the editor's own
 */
export async function writeLauncher(
  folder: string,
  program: string,
  runtimes: readonly string[],
): Promise<void> {
  const script = join(folder, 'bin', `${scriptName}.mjs`);
  await ensureStateFolder(folder);
  await ensureStateFolder(dirname(script));
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

/** Rewrites an existing script, so that it loads this version's program. */
export async function refreshLauncher(
  folder: string,
  program: string,
  workspace: readonly string[],
): Promise<void> {
  if (!existsSync(join(folder, 'bin', `${scriptName}.mjs`))) return;
  await writeLauncher(folder, program, await runtimesHere(workspace));
}

/**
 * Returns the command by which agents call the script. The script may be missing.
 * @param platform Node's name of the platform
 * @param node for Windows: the absolute path of Node, and the same path as a bare word
 */
export function launcherIn(
  folder: string,
  platform: string,
  node: Pick<Launcher, 'program' | 'word'> = { program: 'node' },
): Launcher {
  const script = join(folder, 'bin', scriptName);
  return platform === 'win32'
    ? { ...node, script: `${script}.mjs` }
    : { program: '/bin/sh', script: `${script}.sh` };
}

/**
 * Returns the command by which agents call the script on this machine.
 * @param workspace folders whose programs are not started
 * @throws {SentenceError} on Windows, if agents cannot call a Node.js
 */
export async function launcherHere(folder: string, workspace: readonly string[]): Promise<Launcher> {
  if (process.platform !== 'win32') return launcherIn(folder, process.platform);
  // The path is absolute, because a name would first be looked up in the agent's working folder.
  const program = await nodeOnPath(workspace);
  if (program === undefined) {
    throw new SentenceError(bridgeSentences.say('nodeNeeded', { version: String(oldestNode) }));
  }
  const word = await bareWord(program);
  if (word === undefined) throw new SentenceError(bridgeSentences.say('nodeHasNoWord', { path: program }));
  return launcherIn(folder, process.platform, { program, word });
}

const scriptName = 'context-budget';

/**
 * Returns a shell script that runs the program. `ELECTRON_RUN_AS_NODE` makes the editor's runtime behave as Node;
 * Node itself ignores the variable.
 */
function shellScript(script: string, runtimes: readonly string[]): string {
  return [
    '# Written by Context Budget; finds a Node.js for the script beside it.',
    `for node in ${runtimes.map(quoted).join(' ')}; do`,
    `  [ -x "$node" ] && ELECTRON_RUN_AS_NODE=1 exec "$node" ${quoted(script)} "$@"`,
    'done',
    '# The path of an agent may name the folder it works in, which may hold a program of that name.',
    'here=$(pwd -P)/',
    'case $HOME/ in "$here"*) here=//;; esac',
    'set -f',
    'IFS=:',
    'for folder in $PATH; do',
    '  case $folder in /*) ;; *) continue ;; esac',
    '  case $(cd "$folder" 2>/dev/null && pwd -P)/ in "$here"*) continue ;; esac',
    `  [ -x "$folder/node" ] && exec "$folder/node" ${quoted(script)} "$@"`,
    'done',
    '# An agent goes on without its hooks, but has to know that a server did not start.',
    '[ "$1" = hook ] && exit 0',
    `echo 'Context Budget needs Node.js ${oldestNode} or newer on the path, or the editor that it is installed in.' >&2`,
    'exit 1',
    '',
  ].join('\n');
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}

async function writeIfOther(path: string, text: string): Promise<void> {
  if ((await readFile(path, 'utf8').catch(() => '')) !== text) await replaceFile(path, text);
}
