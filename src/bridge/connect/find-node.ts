import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { commandEnvironment } from '../../agent/command/command-environment.ts';
import { findProgram } from '../../agent/files/find-program.ts';

const run = promisify(execFile);
/** The oldest major version of Node that the program runs on. */
export const oldestNode = 20;

/**
 * Programs that run Node: the one on the path, if it is new enough, and the one that runs this process.
 *
 * @param workspace folders whose programs are not started
 */
export async function runtimesHere(workspace: readonly string[]): Promise<readonly string[]> {
  const node = await nodeOnPath(workspace);
  return [...(node === undefined ? [] : [node]), process.execPath];
}

/**
 * The Node.js on the PATH.
 *
 * @param workspace folders whose programs are not started
 * @returns its absolute path; undefined if it is missing or too old
 */
export async function nodeOnPath(workspace: readonly string[]): Promise<string | undefined> {
  const program = findProgram('node', process.env['PATH'] ?? '', workspace);
  if (program === undefined) return undefined;
  try {
    const told = 'console.log(process.versions.node + " " + process.execPath)';
    // Programs that choose a version ask the folder that they are started in.
    const options = { timeout: 10_000, cwd: dirname(program), env: environment() };
    const { stdout } = await run(program, ['-e', told], options);
    const [, major, path] = /^(\d+)\.\S* (.+)$/mu.exec(stdout) ?? [];
    return Number(major) >= oldestNode ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * A path of Windows as a word that its shells take without quotes: as it is, or with the short names of folders that
 * have spaces.
 *
 * @returns undefined if there is none
 */
export async function bareWord(path: string): Promise<string | undefined> {
  // The shell would read these in quotes, too.
  if (/[%"]/u.test(path)) return undefined;
  const plain = /^[a-z]:\\[\w\\.~-]+$/iu;
  if (plain.test(path)) return path;
  const shell = join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'cmd.exe');
  const asked = ['/d', '/s', '/c', `"for %A in ("${path}") do @echo %~sA"`];
  const options = { timeout: 10_000, windowsVerbatimArguments: true, env: environment() };
  const { stdout } = await run(shell, asked, options).catch(() => ({ stdout: '' }));
  const word = stdout.trim();
  return plain.test(word) ? word : undefined;
}

/** Variables that programs choose a version of Node by, and none of the editor's variables and keys. */
function environment(): NodeJS.ProcessEnv {
  return { ...commandEnvironment(process.env) };
}
