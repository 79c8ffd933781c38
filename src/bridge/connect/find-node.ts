import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { commandEnvironment } from '../../agent/command/command-environment.ts';
import { findProgram } from '../../agent/files/find-program.ts';

const run = promisify(execFile);
/** The oldest major version of Node that the program runs on. */
export const oldestNode = 20;

/**
 * Finds programs that run Node: `node` on the PATH, if it is new enough, and the program of this process.
 * @param workspace folders whose programs are not started
 */
export async function runtimesHere(workspace: readonly string[]): Promise<readonly string[]> {
  const node = await nodeOnPath(workspace);
  return [...(node === undefined ? [] : [node]), process.execPath];
}

/**
 * Finds Node.js on the PATH.
 * @param workspace folders whose programs are not started
 * @returns the absolute path; undefined if it is missing or too old
 */
export async function nodeOnPath(workspace: readonly string[]): Promise<string | undefined> {
  const program = findProgram('node', process.env['PATH'] ?? '', workspace);
  if (program === undefined) return undefined;
  try {
    const told = 'console.log(process.versions.node + " " + process.execPath)';
    // Version managers select Node by the working directory.
    const options = { timeout: 10_000, cwd: dirname(program), env: environment() };
    const { stdout } = await run(program, ['-e', told], options);
    const [, major, path] = /^(\d+)\.\S* (.+)$/mu.exec(stdout) ?? [];
    return Number(major) >= oldestNode ? path : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Returns a Windows path as a word that shells accept without quotes: unchanged, or with short names for folders with
 * spaces.
 * @returns undefined if that is impossible
 */
export async function bareWord(path: string): Promise<string | undefined> {
  // The shell would interpret these characters even in quotes.
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

/** Returns the variables that version managers need to select Node, without the editor's variables and keys. */
function environment(): NodeJS.ProcessEnv {
  return { ...commandEnvironment(process.env) };
}
