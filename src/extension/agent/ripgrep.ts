import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../agent/files/find-program.ts';

/** Folders of ripgrep in different versions of VS Code, relative to its application folder. */
const homes = [
  ['node_modules', '@vscode', 'ripgrep-universal', 'bin', `${process.platform}-${process.arch}`],
  ['node_modules', '@vscode', `ripgrep-${process.platform}-${process.arch}`, 'bin'],
  ['node_modules', '@vscode', 'ripgrep', 'bin'],
  [
    'node_modules.asar.unpacked',
    '@vscode',
    'ripgrep-universal',
    'bin',
    `${process.platform}-${process.arch}`,
  ],
  ['node_modules.asar.unpacked', '@vscode', 'ripgrep', 'bin'],
];

/** VS Code's ripgrep, or ripgrep on the PATH. Programs in the open folders are never started. */
export function findRipgrep(
  applicationRoot: string,
  folders: readonly string[],
  path = process.env['PATH'] ?? '',
): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const own = homes.map((home) => join(applicationRoot, ...home, name));
  return own.find((candidate) => existsSync(candidate)) ?? findProgram('rg', path, folders);
}
