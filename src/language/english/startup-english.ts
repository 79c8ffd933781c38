import { catalogue } from '../sentence.ts';

/** Sentences of all code that runs at activation. Other sentences are loaded with the code that uses them. */
export const startupSentences = catalogue('startup', {
  chatIsElsewhere: 'This chat is open in another window, and only that window can write it.',
  fileIsLocked: 'Another window is writing this file.',
  noEditsToUndo: 'There are no edits to undo here.',
  pathHasNul: 'A path cannot contain a NUL character.',
  pathIsOutside: '{path} is outside the workspace and cannot be read.',
  pathIsTooLong: 'The path is too long.',
  turnInterrupted: 'The last turn was interrupted before it was finished.',
  pathNeedsFolder: 'The workspace has several folders, so a path must start with one of these: {folders}.',
});
