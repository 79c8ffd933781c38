import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { emptyPlaces, programOfPlatform } from '../command/find-sandbox.ts';
import { placesFor } from '../command/sandbox-places.ts';
import { PrivateFolder, type SandboxProgram } from '../command/sandbox.ts';
import { isInside } from '../files/workspace.ts';

/** A command line that runs in the sandbox: without network, and with only some folders to read. */
export interface EnclosedWorker extends Disposable {
  readonly command: readonly string[];
  /** True if the process that is started only keeps the other, and ends with 128 more than the number of its signal. */
  readonly isKeeper: boolean;
}

/** Milliseconds that a process in the sandbox may take to show that it works. */
const patience = 10_000;

let found: Promise<SandboxProgram | undefined> | undefined;

/**
 * Puts a process of Node into the sandbox of the system.
 *
 * @param command program and arguments
 * @param readable absolute paths of folders that it may read
 * @returns undefined if this machine has no sandbox that works, which is tried once
 */
export async function encloseWorker(
  command: readonly string[],
  readable: readonly string[],
): Promise<EnclosedWorker | undefined> {
  found ??= findProgram();
  const program = await found;
  return program === undefined ? undefined : enclose(program, command, readable);
}

async function findProgram(): Promise<SandboxProgram | undefined> {
  const program = programOfPlatform();
  if (typeof program === 'string') return undefined;
  using enclosed = enclose(program, [process.execPath, '--version'], []);
  const [file = '', ...args] = enclosed.command;
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  try {
    await promisify(execFile)(file, args, { timeout: patience, env });
    return program;
  } catch {
    return undefined;
  }
}

function enclose(
  program: SandboxProgram,
  command: readonly string[],
  readable: readonly string[],
): EnclosedWorker {
  const temporary = new PrivateFolder();
  const homes = placesFor([], '/', process.env)?.homes ?? [];
  const all = [...new Set([runtimeOf(process.execPath, homes), ...readable])];
  const places = { ...emptyPlaces, homes, readable: all.toSorted((a, b) => a.length - b.length) };
  return {
    command: [program.file, ...program.arguments(places, temporary.path, false, command)],
    isKeeper: program.isKeeper,
    [Symbol.dispose]: () => temporary.dispose(),
  };
}

/** The program with the libraries beside it, or alone if it lies in the home folder itself. */
function runtimeOf(file: string, homes: readonly string[]): string {
  const application = /^.+?\.app(?=\/)/.exec(file)?.[0];
  const folder = application ?? path.dirname(file);
  return homes.some((home) => isInside(home, folder)) ? file : folder;
}
