import type { Surroundings } from '../agent/files/surroundings.ts';
import { bridgeSentences } from '../language/english/bridge-english.ts';
import { SentenceError } from '../language/sentence.ts';
import { stateFolder } from '../transcripts/session/state-folder.ts';
import { isOwnFolder } from './hooks/note-files.ts';
import { markFile, type MarkFile } from '../presenters/storage/mark-file.ts';

/**
 * Returns a function that opens the mark file of another agent's session by path. Marks are stored with the
 * notes of hooks, which return them. If the folder belongs to another user, it is neither read nor written.
 */
export function marksBeside(surroundings: Surroundings): (path: string) => MarkFile {
  const folder = stateFolder(surroundings);
  return (path) => {
    const file = markFile(folder, path);
    return {
      read: async () => ((await isOwnFolder(folder).catch(() => false)) ? file.read() : []),
      add: async (mark) => {
        if (!(await isOwnFolder(folder))) throw new SentenceError(bridgeSentences.say('configOfAnother'));
        await file.add(mark);
      },
    };
  };
}
