import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensureServer } from './host-cache.ts';
import { runCommand } from './run-command.ts';
import { uriPath } from './uri-path.ts';

/** An entry in the file that lists the installed extensions of a server. */
interface InstalledExtension {
  readonly identifier: { readonly id: string };
  readonly version: string;
  readonly location: { readonly $mid: 1; readonly scheme: 'file'; readonly path: string };
}

/**
 * Makes a folder an installed extension of a stopped server. The folder is not copied, so a rebuild is active after a
 * reload. Notifications appear as they do for users. They would not appear in development mode.
 * Uninstalling the extension leaves the folder.
 */
export async function linkExtension(dataFolder: string, folder: string): Promise<void> {
  const manifest = await readFile(join(folder, 'package.json'), 'utf8');
  const { publisher, name, version } = JSON.parse(manifest) as Readonly<
    Record<'publisher' | 'name' | 'version', string>
  >;
  const id = `${publisher}.${name}`;
  const list = join(dataFolder, 'extensions', 'extensions.json');
  const others = existsSync(list)
    ? (JSON.parse(await readFile(list, 'utf8')) as InstalledExtension[]).filter(
        ({ identifier }) => identifier.id !== id,
      )
    : [];
  const linked: InstalledExtension = {
    identifier: { id },
    version,
    location: { $mid: 1, scheme: 'file', path: uriPath(folder) },
  };
  await mkdir(dirname(list), { recursive: true });
  await writeFile(list, JSON.stringify([...others, linked]));
}

/**
 * Installs a packaged extension into a stopped server.
 *
 * @throws Error with the server's message if the server refuses the package
 */
export async function installExtension(dataFolder: string, vsix: string): Promise<void> {
  const { code, output } = await runCommand(process.execPath, [
    await ensureServer(),
    ...['--install-extension', vsix, '--server-data-dir', dataFolder, '--accept-server-license-terms'],
  ]);
  if (code !== 0) throw new Error(`${vsix} could not be installed:\n${output}`);
}
