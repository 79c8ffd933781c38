import { lstatSync, mkdirSync, readlinkSync, rmdirSync, rmSync, symlinkSync, watch } from 'node:fs';
import path from 'node:path';
import type { GuardedPlace } from './protected-places.ts';

/** How many commands that run now need a folder to be there. */
const placeholders = new Map<string, number>();

/**
 * Makes folders that nothing can be written into in the sandbox, so that nothing else takes their place.
 *
 * @returns takes away those that were made, when no other command needs them any more
 */
export function holdPlaces(folders: readonly string[]): () => void {
  const held = folders.filter((folder) => {
    try {
      if (!placeholders.has(folder)) mkdirSync(folder);
    } catch {
      return false;
    }
    placeholders.set(folder, (placeholders.get(folder) ?? 0) + 1);
    return true;
  });
  return () => {
    for (const folder of held) {
      const others = (placeholders.get(folder) ?? 1) - 1;
      if (others > 0) placeholders.set(folder, others);
      else {
        placeholders.delete(folder);
        // Somebody else may have put something into it meanwhile: then it stays.
        removeEmpty(folder);
      }
    }
  };
}

/** Puts places right as soon as they change. Returns what ends that, which looks once more. */
export function guardPlaces(places: readonly GuardedPlace[]): () => void {
  const folders = new Set(places.map((place) => path.dirname(place.path)));
  const watchers = [...folders].flatMap((folder) => {
    const ofFolder = places.filter((place) => path.dirname(place.path) === folder);
    try {
      const watcher = watch(folder, { persistent: false }, () => ofFolder.forEach(putRight));
      watcher.on('error', () => {});
      return [watcher];
    } catch {
      return [];
    }
  });
  return () => {
    for (const watcher of watchers) watcher.close();
    places.forEach(putRight);
  };
}

function putRight({ path: place, target }: GuardedPlace): void {
  const found = lstatSync(place, { throwIfNoEntry: false });
  if (
    target === undefined ? found === undefined : found?.isSymbolicLink() && readlinkSync(place) === target
  ) {
    return;
  }
  try {
    rmSync(place, { recursive: true, force: true });
    if (target !== undefined) symlinkSync(target, place);
  } catch {
    // It is gone with the folder it was in, or comes right with the next look.
  }
}

function removeEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // It is not empty, or gone already.
  }
}
