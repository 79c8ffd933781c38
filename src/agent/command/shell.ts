import { existsSync } from 'node:fs';

/** How a program is started that takes a command line. */
export interface Shell {
  readonly file: string;
  readonly arguments: readonly string[];
}

/** The shell that runs a command: bash where there is one, since that is what models write for. */
export function shellFor(command: string, platform = process.platform): Shell {
  if (platform === 'win32') {
    const file = process.env['ComSpec'] ?? 'C:\\Windows\\System32\\cmd.exe';
    return { file, arguments: ['/d', '/s', '/c', `"${command}"`] };
  }
  const file = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh';
  return { file, arguments: ['-c', command] };
}
