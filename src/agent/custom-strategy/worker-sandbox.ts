import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { programOfPlatform } from '../command/find-sandbox.ts';
import { placesFor } from '../command/sandbox-places.ts';
import { PrivateFolder } from '../command/private-folder.ts';
import type { SandboxProgram } from '../command/sandbox.ts';
import { sendFilter } from '../command/system-call-filter.ts';
import { isInside } from '../files/workspace.ts';

/** A command line that runs in the sandbox, without network and with few readable folders. */
interface EnclosedWorker extends Disposable {
  readonly command: readonly string[];
  /** True if the started process is a supervisor. Its exit code is 128 plus the signal that ended the worker. */
  readonly isKeeper: boolean;
  /** Filter of system calls, which the sandbox program reads from file descriptor 4. */
  readonly filter: Uint8Array | undefined;
}

const patience = 10_000;

const quiet = ['ignore', 'ignore', 'ignore', 'ignore'] as const;

let found: Promise<SandboxProgram | undefined> | undefined;

/** Runs a Node process in the system's sandbox; undefined without a sandbox. @param readable absolute folders */
export async function encloseWorker(
  command: readonly string[],
  readable: readonly string[],
): Promise<EnclosedWorker | undefined> {
  found ??= findProgram();
  const program = await found;
  return program === undefined ? undefined : enclose(program, command, readable);
}

async function findProgram(): Promise<SandboxProgram | undefined> {
  const program = await programOfPlatform();
  if (typeof program === 'string') return undefined;
  using enclosed = enclose(program, [process.execPath, '--version'], []);
  const [file = '', ...args] = enclosed.command;
  const env = { ELECTRON_RUN_AS_NODE: '1' };
  const child = spawn(file, args, { timeout: patience, env, stdio: [...quiet, 'pipe'] });
  sendFilter(child, program.filter);
  const [code] = (await once(child, 'exit').catch(() => [])) as readonly unknown[];
  return code === 0 ? program : undefined;
}

function enclose(
  program: SandboxProgram,
  command: readonly string[],
  readable: readonly string[],
): EnclosedWorker {
  const folder = new PrivateFolder(tmpdir());
  const homes = placesFor([], '/', process.env)?.homes ?? [];
  const all = [...new Set([runtimeOf(process.execPath, homes), ...readable])];
  const places = {
    directory: '/',
    homes,
    writable: [],
    mounts: [],
    readable: all.toSorted((a, b) => a.length - b.length),
  };
  return {
    command: [program.file, ...program.arguments(places, folder.temporary, false, command, undefined)],
    isKeeper: program.isKeeper,
    filter: program.filter,
    [Symbol.dispose]: () => folder.dispose(),
  };
}

/** Returns the folder of the program and its libraries, or only the program if the home folder is inside. */
function runtimeOf(file: string, homes: readonly string[]): string {
  const application = /^.+?\.app(?=\/)/.exec(file)?.[0];
  const folder = application ?? path.dirname(file);
  return homes.some((home) => isInside(home, folder)) ? file : folder;
}
