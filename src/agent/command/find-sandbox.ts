import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf } from '../../compaction/records/reason.ts';
import { bubblewrap } from './bubblewrap.ts';
import { guardPlaces, holdPlaces } from './protected-places.ts';
import { placesFor, type SandboxPlaces } from './sandbox-places.ts';
import { seatbelt } from './seatbelt.ts';
import { PrivateFolder, type Sandbox, type SandboxProgram, shellFor } from './sandbox.ts';
import { agentSentences } from '../../language/agent-english.ts';
import { SentenceError } from '../../language/sentence.ts';

/** Milliseconds a sandbox may take to show that it works. */
const patience = 10_000;

/**
 * Runs the command in another shell, which lives longer, and says when it begins and whether it has left something
 * running: the keeper and this shell are the two processes that are always there.
 */
const kept = `trap : TERM INT HUP; echo s >&3; exec 4>&2 2>/dev/null; "$@" 2>&4 3>&- 4>&-; status=$?
set -- /proc/[0-9]*; [ $# -gt 2 ] && echo b >&3; exit $status`;
/** Without a keeper of the processes, the command replaces the shell. */
const notKept = 'echo s >&3; exec "$@" 3>&-';

/**
 * Finds out by trying whether this machine has a sandbox.
 *
 * @returns why not, in a sentence for the log, if it has none that works
 */
export async function findSandbox(): Promise<Sandbox | string> {
  const program = programOfPlatform();
  if (typeof program === 'string') return program;
  const temporary = new PrivateFolder();
  try {
    const nowhere = { ...emptyPlaces, homes: placesFor([], '/', process.env)?.homes ?? [] };
    const inner = ['/bin/sh', '-c', 'exit 0'];
    const all = program.arguments(nowhere, temporary.path, false, inner);
    await promisify(execFile)(program.file, all, { timeout: patience, env: {} });
  } catch (error) {
    temporary.dispose();
    const { stderr } = error as { readonly stderr?: string };
    return `${program.file} does not work here: ${(stderr ?? '').trim() || messageOf(error)}`;
  }
  return sandboxOf(program, temporary);
}

/** No place but the folders of the system. */
export const emptyPlaces: SandboxPlaces = {
  directory: '/',
  homes: [],
  writable: [],
  readable: [],
  pinned: [],
  readOnly: [],
  absent: [],
  guarded: [],
};

/** The sandbox program of this system, untried, or why there is none. */
export function programOfPlatform(): SandboxProgram | string {
  switch (process.platform) {
    case 'linux':
      return bubblewrap() ?? 'bwrap is not installed (package bubblewrap).';
    case 'darwin':
      return seatbelt() ?? 'sandbox-exec is not there.';
    default:
      return `There is none for ${process.platform}.`;
  }
}

function sandboxOf(program: SandboxProgram, temporary: PrivateFolder): Sandbox {
  return {
    canHold: (roots, environment) => placesFor(roots, '/', environment) !== undefined,
    enclose({ command, directory, roots, environment, hasNetwork }) {
      const places = placesFor(roots, directory, environment);
      if (places === undefined) throw new SentenceError(agentSentences.say('sandboxHoldsHome'));
      const letGo = holdPlaces(places.absent);
      const stopGuarding = guardPlaces(places.guarded);
      const shell = shellFor(command);
      const outer = [shell.file, '-c', program.isKeeper ? kept : notKept, 'sandbox'];
      const inner = [...outer, shell.file, ...shell.arguments];
      return {
        shell: {
          file: program.file,
          arguments: program.arguments(places, temporary.path, hasNetwork, inner),
        },
        environment: program.environment(temporary.path),
        isKeeper: program.isKeeper,
        [Symbol.dispose]() {
          stopGuarding();
          letGo();
        },
      };
    },
    dispose: () => temporary.dispose(),
  };
}
