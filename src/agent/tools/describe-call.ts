import { diskEditor } from '../edits/disk-editor.ts';
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
  memory: { file: { path: '/', shown: '' }, now: () => 0 },
});

/** Longest text of a call that a person is shown. */
const longestLabel = 120;

/**
 * A call in a few words for a person, for example `src/lock.ts 40–120`.
 *
 * @param input the arguments, as the model wrote them
 */
export function describeCall(tool: string, input: string): string {
  const found = allTools.find(({ name }) => name === tool);
  return (found?.describe ?? wordsIn)(parseToolInput(input) ?? {}).slice(0, longestLabel);
}

/** Of a tool that is not one of ours, what its arguments say in short texts. */
function wordsIn(input: Readonly<Record<string, unknown>>): string {
  const words = Object.values(input).filter(
    (value) => typeof value === 'string' || typeof value === 'number',
  );
  return words.join(' · ').replace(/\s+/g, ' ').trim();
}
