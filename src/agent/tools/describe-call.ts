import { diskEditor } from '../edits/disk-editor.ts';
import { argumentWords, longestLabel } from './argument-words.ts';
import { createTools } from './catalogue.ts';
import { parseToolInput } from './tool-input.ts';
import { Workspace } from './workspace.ts';

/** Every tool there is. Describing a call touches nothing, so it does not matter which folder this would be. */
const allTools = createTools({
  workspace: new Workspace(['/']),
  ripgrepPath: '',
  editor: diskEditor,
  problems: { find: () => Promise.resolve([]) },
  commands: { environment: () => ({}) },
  recall: () => undefined,
  searchHistory: () => Promise.resolve({ absent: 0, passages: [] }),
  requestCompaction: () => {},
  setPlan: () => ({ finishedSteps: 0 }),
  skills: { text: () => Promise.resolve(undefined), say: () => true },
  memory: { file: { path: '/', shown: '' }, now: () => 0 },
});

/**
 * A call in a few words for a person, for example `src/lock.ts 40–120`.
 *
 * @param input the arguments, as the model wrote them
 */
export function describeCall(tool: string, input: string): string {
  const found = allTools.find(({ name }) => name === tool);
  return (found?.describe ?? argumentWords)(parseToolInput(input) ?? {}).slice(0, longestLabel);
}
