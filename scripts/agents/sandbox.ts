import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../project.ts';
import { runCommand } from '../test/run-command.ts';
import { quietEnvironment } from './agent.ts';
import { workFolder } from './task.ts';

/** Folders of this machine mounted in the sandbox. */
export interface SandboxFolders {
  /** Folder of the installed agent; its programs are on the path. */
  readonly agent: string;
  /** Becomes `/home/user`. */
  readonly home: string;
  /** Becomes `/log`, the folder for results. */
  readonly log: string;
}

/** @throws Error that names the package if bubblewrap is not installed */
export async function requireSandbox(): Promise<void> {
  const isThere = await runCommand('bwrap', ['--version']).then(
    ({ code }) => code === 0,
    () => false,
  );
  if (!isThere) throw new Error('Agents run in a sandbox without a network: install the package bubblewrap.');
}

/**
 * Arguments for bubblewrap that run a script of this project with its own home folder, this project, and no other
 * writable folder; the only network is loopback.
 */
export function sandboxArguments(
  { agent, home, log }: SandboxFolders,
  environment: Readonly<Record<string, string>>,
  command: readonly string[],
): readonly string[] {
  const node = dirname(realpathSync(process.execPath));
  // Some systems have these as folders, some as links into /usr.
  const system = ['/usr', '/bin', '/sbin', '/lib', '/lib64', '/etc'].filter(existsSync);
  const variables = {
    PATH: `/opt/agent/node_modules/.bin:/opt/node:/usr/bin:/bin`,
    HOME: '/home/user',
    USER: 'user',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    SHELL: '/bin/bash',
    ...quietEnvironment,
    ...environment,
  };
  return [
    ...['--die-with-parent', '--unshare-net', '--unshare-pid', '--unshare-ipc', '--unshare-uts'],
    ...['--unshare-user', '--uid', '1000', '--gid', '1000', '--hostname', 'host'],
    ...system.flatMap((folder) => ['--ro-bind', folder, folder]),
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--dir', '/home'],
    ...['--ro-bind', realpathSync(agent), '/opt/agent'],
    ...['--ro-bind', node, '/opt/node'],
    ...['--ro-bind', projectFolder, '/opt/context-budget'],
    ...['--ro-bind', realpathSync(join(projectFolder, 'node_modules')), '/opt/context-budget/node_modules'],
    ...['--bind', home, '/home/user', '--bind', log, '/log', '--chdir', workFolder],
    '--clearenv',
    ...Object.entries(variables).flatMap(([name, value]) => ['--setenv', name, value]),
    ...command,
  ];
}
