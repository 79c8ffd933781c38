import { keepPrivate, makePrivateFolder } from '../../agent/files/private-files.ts';
import { readdir, rename, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../compaction/records/reason.ts';

/** Suffix that the editor adds to the name of a workspace's folder for each further window on the workspace. */
const furtherWindow = /^(.+)-[1-9]$/;

/**
 * The folder that the windows of a workspace share. The editor gives every window a folder of its own, also to one
 * that is reloaded before it has let go of its old one: a chat would be in one of them and not in another.
 *
 * @param storage what the editor gave this window: `…/WORKSPACE/EXTENSION` or `…/WORKSPACE-1/EXTENSION`
 * @returns the absolute path of a file or folder by its name
 */
export function storedIn(storage: string): (name: string) => string {
  const workspace = dirname(storage);
  const [, shared] = furtherWindow.exec(basename(workspace)) ?? [];
  const folder = shared === undefined ? storage : join(dirname(workspace), shared, basename(storage));
  return (name) => join(folder, name);
}

/**
 * Like `storedIn`; in the background it also moves chats of earlier versions there and removes other users' access.
 *
 * @param log called with the reason some could not be moved
 */
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

/** Further windows that the editor gives folders of their own, at most. */
const mostWindows = 9;

/**
 * Moves chats that earlier versions kept in the folders of further windows to where all windows look for them. One
 * whose name is taken stays where it is.
 *
 * @param storage as for `storedIn`
 * @returns number of files and folders that were moved
 * @throws what the file system throws
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
