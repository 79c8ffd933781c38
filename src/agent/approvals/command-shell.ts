/** The shell that reads a command line. A rule made for one says nothing about the other. */
export type CommandShell = 'posix' | 'windows';

/** The shell that commands run in on a platform. */
export function commandShell(platform: NodeJS.Platform = process.platform): CommandShell {
  return platform === 'win32' ? 'windows' : 'posix';
}
