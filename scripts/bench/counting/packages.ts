import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../../test/run-command.ts';

/**
 * Installs packages into a separate folder, without running their scripts, unless they are installed.
 *
 * @param packages name → version
 * @throws {Error} with the output of npm
 */
export async function installPackages(
  packages: Readonly<Record<string, string>>,
  folder: string,
): Promise<void> {
  const manifest = `${JSON.stringify({ private: true, type: 'module', dependencies: packages }, null, 2)}\n`;
  const file = join(folder, 'package.json');
  if (existsSync(join(folder, 'node_modules')) && (await readFile(file, 'utf8')) === manifest) return;
  await mkdir(folder, { recursive: true });
  await writeFile(file, manifest);
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { code, output } = await runCommand('npm', ['install', ...options], { cwd: folder });
  if (code !== 0) throw new Error(output);
}
