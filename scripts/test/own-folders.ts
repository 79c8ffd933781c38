import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheFolder } from './install-once.ts';

/** Variable that is set in this process and its children when they have their own folders. */
const mark = 'CONTEXT_BUDGET_OWN_FOLDERS';

/**
 * Gives this process and its children a separate home and temporary folder, which is removed at the end. Tests are
 * then independent of the user's files and of other programs, and leave nothing behind. The cache folder stays the
 * same, and npm keeps its own settings and cache.
 */
export function useOwnFolders(): void {
  if (process.env[mark]) return;
  const npmSettings = join(homedir(), '.npmrc');
  const cache = cacheFolder();
  const npmCache = join(homedir(), '.npm');
  // Sockets are in the temporary folder, and their paths may have only about a hundred characters.
  const root = mkdtempSync(join(tmpdir(), 'cb-'));
  const [home, temporary] = [join(root, 'home'), join(root, 'tmp')];
  for (const folder of [home, temporary]) mkdirSync(folder);
  // Tests that run as another user must be able to reach their files in the folder.
  chmodSync(root, 0o711);
  for (const name of Object.keys(process.env))
    if (name.startsWith('XDG_')) Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, {
    [mark]: root,
    CONTEXT_BUDGET_CACHE: cache,
    ...{ HOME: home, USERPROFILE: home, APPDATA: home },
    ...{ TMPDIR: temporary, TMP: temporary, TEMP: temporary },
    ...(existsSync(npmSettings) && {
      npm_config_userconfig: process.env['npm_config_userconfig'] ?? npmSettings,
    }),
    ...(process.platform !== 'win32' && { npm_config_cache: process.env['npm_config_cache'] ?? npmCache }),
  });
  process.once('exit', () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
}
