import { homedir, tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../compaction/records/reason.ts';
import { bubblewrap } from './bubblewrap.ts';
import { placesFor } from './sandbox-places.ts';
import { seatbelt } from './seatbelt.ts';
import { PrivateFolder } from './private-folder.ts';
import { type Sandbox, type SandboxProgram, shellFor } from './sandbox.ts';
import { spawnCommand } from './spawn-command.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { SentenceError } from '../../language/sentence.ts';

/** Maximum milliseconds for the trial of a sandbox. */
const patience = 10_000;

/** Script that closes descriptors inherited from the editor. Only Bash supports numbers above 9. */
const withoutInherited = `for descriptor in /proc/self/fd/*; do descriptor=\${descriptor##*/}
[ $descriptor -lt 4 ] || [ $descriptor -gt 9 -a -z "$BASH_VERSION" ] || eval "exec $descriptor>&-"; done; unset descriptor`;
/** Script that runs the command in a second shell, and reports its start and processes that it left behind. */
const kept = `trap : TERM INT HUP; ${withoutInherited}; echo s >&3; exec 4>&2 2>/dev/null; "$@" 2>&4 3>&- 4>&-; status=$?
set -- /proc/[0-9]*; [ $# -gt 2 ] && echo b >&3; exit $status`;
/** Script for sandboxes without a supervisor: the command replaces the shell. */
const notKept = 'echo s >&3; exec "$@" 3>&-';

/** Tests whether this machine has a working sandbox. @returns the sandbox, or a reason for the log why not */
export async function findSandbox(): Promise<Sandbox | string> {
  const program = await programOfPlatform();
  if (typeof program === 'string') return program;
  const reasons: string[] = [];
  for (const parent of parents()) {
    const reason = await withFolderIn(parent, program);
    if (typeof reason !== 'string') return reason;
    reasons.push(reason);
  }
  return `${program.file} does not work here: ${reasons.join(' ')}`;
}

/** Returns the folders to try for command output, in order, because not every file system can hold an overlay. */
function parents(): readonly string[] {
  const cache = process.env['XDG_CACHE_HOME'] ?? path.join(homedir(), '.cache');
  return process.platform === 'linux'
    ? [path.join(cache, 'context-budget'), tmpdir(), '/dev/shm']
    : [tmpdir()];
}

async function withFolderIn(parent: string, program: SandboxProgram): Promise<Sandbox | string> {
  const folder = new PrivateFolder(parent);
  try {
    const sandbox = sandboxOf(program, folder);
    const nothing = { command: 'exit 0', directory: folder.temporary, environment: process.env };
    using enclosure = sandbox.enclose({ ...nothing, roots: [folder.temporary], hasNetwork: false });
    const run = { ...nothing, timeoutMs: patience, onOutput: () => {}, enclosure };
    await spawnCommand(run, new AbortController().signal);
    return sandbox;
  } catch (error) {
    folder.dispose();
    return messageOf(error);
  }
}

/** Returns the untested sandbox program of this system, or the reason why it is missing. */
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

function sandboxOf(program: SandboxProgram, folder: PrivateFolder): Sandbox {
  const tried = new Map<string, Promise<boolean>>();
  const canOverlay = async (roots: readonly string[]) => {
    using overlay = program.overlay(roots, folder.changed);
    try {
      await overlay?.try();
      return true;
    } catch {
      return false;
    }
  };
  return {
    async refusal(roots, environment) {
      const places = placesFor(roots, '/', environment);
      if (places === undefined) return 'home';
      const key = places.writable.join('\0');
      const trial = tried.get(key) ?? canOverlay(places.writable);
      tried.set(key, trial);
      return (await trial) ? undefined : 'folder';
    },
    enclose({ command, directory, roots, environment, hasNetwork }) {
      const places = placesFor(roots, directory, environment);
      if (places === undefined) throw new SentenceError(agentSentences.say('sandboxHoldsHome'));
      const overlay = program.overlay(places.writable, folder.changed);
      const shell = shellFor(command);
      const outer = [shell.file, '-c', program.isKeeper ? kept : notKept, 'sandbox'];
      const inner = [...outer, shell.file, ...shell.arguments];
      const all = program.arguments(places, folder.temporary, hasNetwork, inner, overlay);
      return {
        shell: { file: program.file, arguments: overlay?.around([program.file, ...all]) ?? all },
        environment: program.environment(folder.temporary),
        filter: program.filter,
        isKeeper: program.isKeeper,
        changes: () => overlay?.changes() ?? Promise.resolve([]),
        [Symbol.dispose]: () => overlay?.[Symbol.dispose](),
      };
    },
    dispose: () => folder.dispose(),
  };
}
