import { messageOf } from '../../compaction/records/reason.ts';
import { bubblewrap } from './bubblewrap.ts';
import { guardPlaces, holdPlaces } from './protected-places.ts';
import { placesFor, type SandboxPlaces } from './sandbox-places.ts';
import { seatbelt } from './seatbelt.ts';
import { PrivateFolder, type Sandbox, type SandboxProgram, shellFor } from './sandbox.ts';
import { spawnCommand } from './spawn-command.ts';
import { agentSentences } from '../../language/agent-english.ts';
import { SentenceError } from '../../language/sentence.ts';

/** Milliseconds a sandbox may take to show that it works. */
const patience = 10_000;

/** Closes what the editor has open and passes on to all programs it starts. Only Bash has names above 9. */
const withoutInherited = `for descriptor in /proc/self/fd/*; do descriptor=\${descriptor##*/}
[ $descriptor -lt 4 ] || [ $descriptor -gt 9 -a -z "$BASH_VERSION" ] || eval "exec $descriptor>&-"; done; unset descriptor`;
/**
 * Runs the command in another shell, which lives longer, and says when it begins and whether it has left something
 * running: the keeper and this shell are the two processes that are always there.
 */
const kept = `trap : TERM INT HUP; ${withoutInherited}; echo s >&3; exec 4>&2 2>/dev/null; "$@" 2>&4 3>&- 4>&-; status=$?
set -- /proc/[0-9]*; [ $# -gt 2 ] && echo b >&3; exit $status`;
/** Without a keeper of the processes, the command replaces the shell. */
const notKept = 'echo s >&3; exec "$@" 3>&-';

/**
 * Finds out by trying whether this machine has a sandbox.
 *
 * @returns why not, in a sentence for the log, if it has none that works
 */
export async function findSandbox(): Promise<Sandbox | string> {
  const program = await programOfPlatform();
  if (typeof program === 'string') return program;
  const sandbox = sandboxOf(program, new PrivateFolder());
  const nothing = { command: 'exit 0', directory: '/', environment: process.env };
  try {
    using enclosure = sandbox.enclose({ ...nothing, roots: [], hasNetwork: false });
    const run = { ...nothing, timeoutMs: patience, onOutput: () => {}, enclosure };
    await spawnCommand(run, new AbortController().signal);
    return sandbox;
  } catch (error) {
    sandbox.dispose();
    return `${program.file} does not work here: ${messageOf(error)}`;
  }
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
export async function programOfPlatform(): Promise<SandboxProgram | string> {
  switch (process.platform) {
    case 'linux':
      return (await bubblewrap()) ?? 'bwrap is not installed (package bubblewrap).';
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
        filter: program.filter,
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
