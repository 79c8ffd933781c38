import { catalogue } from './sentence.ts';

/**
 * Sentences of code that is loaded when the extension is activated, whatever its area: the tables of the areas are
 * loaded with the code that uses them.
 */
export const startupSentences = catalogue('startup', {
  chatIsElsewhere: 'This chat is open in another window, which is the only one that can write it.',
  fileIsLocked: 'Another window is writing this file.',
  mcpArgs: '"args" must be a list of strings.',
  mcpCwd: '"cwd" must be a string.',
  mcpEnv: '"env" must be an object with string values.',
  mcpHeaders: '"headers" must be an object with string values.',
  mcpName: 'A name must start with a letter and contain only letters, digits, - and _.',
  mcpNoTarget: 'It needs "command" (a program to start) or "url" (of a server with streamable HTTP).',
  mcpNotObject: 'It must be an object with "command" or "url".',
  mcpServerProblem: '{setting}.{name}: {problem}',
  mcpServersNotObject: '{setting} must be an object with a server for each name.',
  mcpUrl: '"url" must be an http or https URL.',
  noEditsToUndo: 'There are no edits to undo here.',
  pathHasNul: 'A path cannot contain a NUL character.',
  pathIsOutside: '{path} is outside the workspace and cannot be read.',
  pathIsTooLong: 'The path is too long.',
  pathNeedsFolder: 'There are several folders; a path starts with one of: {folders}.',
});
