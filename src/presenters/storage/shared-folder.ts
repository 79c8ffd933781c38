import { keepPrivate, makePrivateFolder } from '../../agent/files/private-files.ts';
import { readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../compaction/records/reason.ts';

/** Name of the storage folder that VS Code creates for a further window of a workspace. */
const furtherWindow = /^(.+)-[1-9]$/;

/**
 * The storage folder that all windows of a workspace share. VS Code gives each window its own folder.
 *
 * @param storage folder of this window: `…/WORKSPACE/EXTENSION` or `…/WORKSPACE-1/EXTENSION`
 * @returns a function from a name to its absolute path
 */
export function storedIn(storage: string): (name: string) => string {
  const workspace = dirname(storage);
  const [, shared] = furtherWindow.exec(basename(workspace)) ?? [];
  const folder = shared === undefined ? storage : join(dirname(workspace), shared, basename(storage));
  return (name) => join(folder, name);
}

/** Like `storedIn`, but also moves chats of earlier versions into the folder and removes other users' access. */
export function openStorage(
  { fsPath }: { readonly fsPath: string },
  log: { error(message: string): void },
): (name: string) => string {
  const stored = storedIn(fsPath);
  void gatherChats(fsPath)
    .catch((error: unknown) => {
      log.error(`Chats of earlier versions could not be moved: ${messageOf(error)}`);
    })
    .then(() => keepPrivate(stored('')));
  return stored;
}

/** Maximum number of further windows to which VS Code gives folders. */
const mostWindows = 9;

/**
 * Moves chats of earlier versions to the shared folder, except those whose name is taken.
 *
 * @returns the number of moved files and folders
 * @throws errors of the file system
 */
export async function gatherChats(storage: string): Promise<number> {
  const shared = storedIn(storage)('');
  const workspace = dirname(shared);
  const home = join(shared, 'sessions');
  let moved = 0;
  for (let window = 1; window <= mostWindows; window++) {
    const folder = join(`${workspace}-${window}`, basename(shared), 'sessions');
    for (const name of await readdir(folder).catch(() => [])) {
      if (await exists(join(home, name))) continue;
      await makePrivateFolder(home);
      await rename(join(folder, name), join(home, name));
      moved++;
    }
  }
  return moved;
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
