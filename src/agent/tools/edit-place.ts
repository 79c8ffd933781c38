import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { FileEditError } from '../edits/file-editor.ts';
import { isInsideGit } from '../edits/secret-path.ts';
import type { Place, Workspace } from './workspace.ts';

/**
 * Finds the real place of a path that a model wants to change.
 *
 * @throws {FileEditError} for what is outside the workspace, inside `.git`, or a workspace folder itself
 */
export async function placeToEdit(workspace: Workspace, given: string): Promise<Place> {
  if (given.trim() === '') throw new FileEditError('The path is empty.');
  const resolution = await workspace.resolve(given);
  if ('refusal' in resolution)
    throw new FileEditError(resolution.refusal.replace(/cannot be read\.$/, 'cannot be changed.'));
  const { place } = resolution;
  if (isInsideGit(place.path)) {
    throw new FileEditError(`${place.shown} belongs to git and is never written to. Use git's own commands.`);
  }
  if (place.path === place.root.path) throw new FileEditError(`${place.shown} is a directory.`);
  await refuseDanglingLinks(place);
  return place;
}

/** A link that leads nowhere has no real place, but would have one as soon as something is written through it. */
async function refuseDanglingLinks({ root, path: real, shown }: Place): Promise<void> {
  for (let part = real; part !== root.path; part = path.dirname(part)) {
    const status = await lstat(part).catch(() => undefined);
    if (status?.isSymbolicLink() === true) {
      throw new FileEditError(`${shown} is or is behind a symbolic link that leads nowhere.`);
    }
  }
}
