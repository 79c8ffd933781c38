import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

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
 * @returns undefined if there is none; the agent then has no search
 */
export function findRipgrep(applicationRoot: string, path = process.env['PATH'] ?? ''): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  return [
    ...homes.map((home) => join(applicationRoot, ...home, name)),
    ...path.split(delimiter).map((folder) => join(folder, name)),
  ].find((candidate) => existsSync(candidate));
}
