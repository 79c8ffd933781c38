import { existsSync } from 'node:fs';
import type { CommandReach, NoSandbox } from '../approvals/approval-request.ts';
import type { Overlay } from './overlay.ts';
import type { SandboxPlaces } from './sandbox-places.ts';
import type { WorkspaceChange } from './workspace-changes.ts';
import { toModel } from '../../language/sentence.ts';

/** Finds a working sandbox. Otherwise returns whether it is off or missing. */
export type SandboxPort = () => Promise<Sandbox | 'off' | 'missing'>;

interface EnclosedCommand {
  readonly command: string;
  readonly directory: string;
  /** Writable folders, absolute and without symbolic links. */
  readonly roots: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hasNetwork: boolean;
}

/** Everything needed to start one command in the sandbox. Disposal removes the command's changes. */
export interface Enclosure extends Disposable {
  /** The shell. On descriptor 3 it reports that the command has started (`s`) and that it left processes (`b`). */
  readonly shell: Shell;
  readonly environment: Readonly<Record<string, string>>;
  /** Filter of system calls, which the shell reads from file descriptor 4. */
  readonly filter: Uint8Array | undefined;
  /** True if the started process is a supervisor, so that killing it kills all its children. */
  readonly isKeeper: boolean;
  /** Lists changes of the ended command that are not yet in the workspace; empty if the sandbox writes to it. */
  changes(): Promise<readonly WorkspaceChange[]>;
}

/** Runs commands with fewer permissions than the user has. */
export interface Sandbox {
  /** Returns the reason why commands in these folders cannot run in the sandbox, or undefined. */
  refusal(
    roots: readonly string[],
    environment: Readonly<Record<string, string | undefined>>,
  ): Promise<NoSandbox | undefined>;
  enclose(command: EnclosedCommand): Enclosure;
  dispose(): void;
}

/** The sandbox program of a system. It starts a command with access to the given places only. */
export interface SandboxProgram {
  readonly file: string;
  readonly isKeeper: boolean;
  /** Filter of system calls, which the program reads from file descriptor 4. */
  readonly filter: Uint8Array | undefined;
  /** Creates an overlay, which holds changes in `parent`; undefined if commands write directly to the workspace. */
  overlay(roots: readonly string[], parent: string): Overlay | undefined;
  /** Variables for the command. @param temporary folder for temporary files, shared by all commands */
  environment(temporary: string): Readonly<Record<string, string>>;
  /** @param inner program to run, with its arguments */
  arguments(
    places: SandboxPlaces,
    temporary: string,
    hasNetwork: boolean,
    inner: readonly string[],
    overlay: Overlay | undefined,
  ): readonly string[];
}

/** Error messages of programs that could not connect. */
const withoutNetwork =
  /could not resolve|couldn't resolve|cannot resolve|name resolution|no address associated|unknown host|name or service not known|failed to connect|couldn't connect|could not connect|network is unreachable|connection refused|\b(?:ENOTFOUND|EAI_AGAIN|ENETUNREACH|ECONNREFUSED)\b|dial tcp|network is down|no route to host/i;
/** Error messages of programs that lack a permission. */
const withoutRights =
  /read-only file system|\bEROFS\b|operation not permitted|\bEPERM\b|permission denied|\bEACCES\b|device or resource busy|\bEBUSY\b/i;
/** Error messages of programs that lack a file or a setting of the user's home folder. */
const withoutPerson =
  /tell me who you are|unable to auto-detect email|host key verification|no such identity|could not read username|cannot open display|agent has no identities/i;

/** Explains to the model how the sandbox may have made a command fail, one sentence for each possible cause. */
export function sandboxNotes(
  output: string,
  reach: CommandReach,
  homes: readonly string[],
): readonly string[] {
  if (reach === 'everything') return [];
  const missesHome = homes.some((home) =>
    output.split('\n').some((line) => line.includes(home) && /no such file|not found|ENOENT/i.test(line)),
  );
  return [
    ...(reach === 'sandbox' && withoutNetwork.test(output)
      ? [
          toModel`It ran in a sandbox without network. If it needs the network, call it again with network set to true and say in network_reason what for; the user decides.`,
        ]
      : []),
    ...(withoutRights.test(output)
      ? [
          toModel`It ran in a sandbox: only the workspace and the temporary folder can be written. If it has to write elsewhere, tell the user, who can allow it outside the sandbox when it is called again.`,
        ]
      : []),
    ...(missesHome || withoutPerson.test(output)
      ? [
          toModel`It ran in a sandbox with an empty home folder: there are no settings, keys and accounts of the user. If it needs them, tell the user, who can allow it outside the sandbox when it is called again.`,
        ]
      : []),
  ];
}

interface Shell {
  readonly file: string;
  readonly arguments: readonly string[];
}

/** Returns the shell that runs a command: bash if available, because models write commands for it. */
export function shellFor(command: string, platform = process.platform): Shell {
  if (platform === 'win32') {
    const file = process.env['ComSpec'] ?? 'C:\\Windows\\System32\\cmd.exe';
    return { file, arguments: ['/d', '/s', '/c', `"${command}"`] };
  }
  const file = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  return { file, arguments: ['-c', command] };
}
