import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../../agent/files/find-program.ts';

/** Folders in which versions of VS Code keep ripgrep, below their application folder. */
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

/** VS Code's ripgrep, or the one on the PATH outside the open folders, whose programs are never started. */
export function findRipgrep(
  applicationRoot: string,
  folders: readonly string[],
  path = process.env['PATH'] ?? '',
): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  const own = homes.map((home) => join(applicationRoot, ...home, name));
  return own.find((candidate) => existsSync(candidate)) ?? findProgram('rg', path, folders);
}
