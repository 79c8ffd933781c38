import { join } from 'node:path';
import type { Surroundings } from '../agent/files/surroundings.ts';
import { bridgeSentences } from '../language/english/bridge-english.ts';
import { SentenceError } from '../language/sentence.ts';
import { isOwnFolder } from './hooks/note-files.ts';
import { markFile, type MarkFile } from '../presenters/storage/mark-file.ts';

/**
 * Returns the folder for notes of hooks, which run as separate processes. It belongs to the user and not to an
 * editor, because the calling agents run without an editor.
 */
export function stateFolder({ home, platform, environment }: Surroundings): string {
  const given = environment['CONTEXT_BUDGET_STATE'];
  if (given) return given;
  const parent =
    platform === 'win32'
      ? environment['LOCALAPPDATA'] || join(home, 'AppData', 'Local')
      : platform === 'darwin'
        ? join(home, 'Library', 'Application Support')
        : environment['XDG_STATE_HOME'] || join(home, '.local', 'state');
  return join(parent, 'context-budget');
}

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
