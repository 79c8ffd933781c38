import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../agent/files/find-program.ts';

/** Folders of the ripgrep that versions of VS Code search with, below their application folder. */
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

/**
 * The ripgrep that comes with the editor, or else the one on the PATH.
 *
 * @param folders that are open: no program in them is started
 * @returns undefined if there is none; the agent then has no search
 */
export function findRipgrep(
  applicationRoot: string,
  folders: readonly string[],
  path = process.env['PATH'] ?? '',
): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const own = homes.map((home) => join(applicationRoot, ...home, name));
  return own.find((candidate) => existsSync(candidate)) ?? findProgram('rg', path, folders);
}
