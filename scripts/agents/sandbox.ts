import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectFolder } from '../project.ts';
import { runCommand } from '../test/run-command.ts';
import { quietEnvironment } from './agent.ts';
import { workFolder } from './task.ts';

/** Folders of this machine that the sandbox can use. */
export interface SandboxFolders {
  /** Folder of the installed agent. Its programs are on the PATH. */
  readonly agent: string;
  /** Folder that becomes `/home/user`. */
  readonly home: string;
  /** Folder for results, which becomes `/log`. */
  readonly log: string;
}

/** @throws Error with the name of the package if bubblewrap is not installed */
export async function requireSandbox(): Promise<void> {
  const isThere = await runCommand('bwrap', ['--version']).then(
    ({ code }) => code === 0,
    () => false,
  );
  if (!isThere) throw new Error('Agents run in a sandbox without a network: install the package bubblewrap.');
}

/**
 * Arguments that make bubblewrap run a command. The command gets its own home folder, this project, and no other
 * writable folder. Its only network is loopback.
 */
export function sandboxArguments(
  { agent, home, log }: SandboxFolders,
  environment: Readonly<Record<string, string>>,
  command: readonly string[],
): readonly string[] {
  const node = dirname(realpathSync(process.execPath));
  // Some of these paths are folders on some systems and links into /usr on other systems.
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
