import { randomBytes } from 'node:crypto';
import { access, chmod, constants, mkdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FileEditError, type FileChange, type FileEditor } from './file-editor.ts';
import { asFileEditError, readTextFile } from './text-file.ts';

/** Files on disk, with nothing between. */
export const diskEditor: FileEditor = { read: readTextFile, apply };

/** A change whose new text lies beside the file already. */
interface Staged {
  readonly change: FileChange;
  /** Undefined for a file that is deleted. */
  readonly beside: string | undefined;
}

async function apply(changes: readonly FileChange[]): Promise<void> {
  const staged: Staged[] = [];
  const directories: string[] = [];
  const done: FileChange[] = [];
  try {
    for (const change of changes) staged.push({ change, beside: await stage(change, directories) });
    for (const { path, shown, before } of changes) {
      if ((await readTextFile(path)) !== before) {
        throw new FileEditError(`${shown} was changed meanwhile, so nothing was written. Read it again.`);
      }
    }
    for (const { change, beside } of staged) {
      await explained(change, () => (beside === undefined ? rm(change.path) : rename(beside, change.path)));
      done.push(change);
    }
  } catch (error) {
    for (const { beside } of staged) if (beside !== undefined) await rm(beside, { force: true });
    for (const change of done.toReversed()) await restore(change);
    // Only those that are still empty go away again.
    for (const directory of directories.toReversed()) await rmdir(directory).catch(() => {});
    throw error;
  }
}

/**
 * Writes the new text beside the file, in a directory that is made where it is missing.
 *
 * @param directories gets those that were made, outermost first
 */
async function stage(change: FileChange, directories: string[]): Promise<string | undefined> {
  const { path, before, after } = change;
  return explained(change, async () => {
    if (before !== undefined) await access(path, constants.W_OK);
    if (after === undefined) return undefined;
    await makeDirectory(dirname(path), directories);
    return writeBeside(path, after);
  });
}

async function makeDirectory(directory: string, made: string[]): Promise<void> {
  const isThere = await stat(directory).then(
    (status) => status.isDirectory(),
    () => false,
  );
  if (isThere) return;
  await makeDirectory(dirname(directory), made);
  await mkdir(directory);
  made.push(directory);
}

/** @returns path of the written file, which has the mode of the one beside it */
async function writeBeside(path: string, text: string): Promise<string> {
  const beside = join(dirname(path), `.${randomBytes(8).toString('hex')}.new`);
  const mode = await stat(path).then(
    (status) => status.mode & 0o7777,
    () => undefined,
  );
  try {
    await writeFile(beside, text, { flag: 'wx', ...(mode === undefined ? {} : { mode: 0o600 }) });
    if (mode !== undefined) await chmod(beside, mode);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  return beside;
}

/** Puts back what was there before a change that should not have been made after all. */
async function restore({ path, before }: FileChange): Promise<void> {
  if (before === undefined) await rm(path, { force: true });
  else await rename(await writeBeside(path, before), path);
}

async function explained<R>({ shown }: FileChange, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw asFileEditError(error, shown, 'written');
  }
}
