import { createTools } from './catalogue.ts';
import { parseToolInput } from './tool-input.ts';
import { Workspace } from './workspace.ts';

/** Every tool there is. Describing a call reads nothing, so it does not matter which folder this would be. */
const allTools = createTools({
  workspace: new Workspace(['/']),
  ripgrepPath: '',
  recall: () => undefined,
  searchHistory: () => Promise.resolve({ absent: 0, passages: [] }),
  requestCompaction: () => {},
});

/**
 * A call in a few words for a person, for example `src/lock.ts 40–120`.
 *
 * @param input the arguments, as the model wrote them
 * @returns nothing for a tool that is not one of ours
 */
export function describeCall(tool: string, input: string): string {
  const found = allTools.find(({ name }) => name === tool);
  return found?.describe(parseToolInput(input) ?? {}) ?? '';
}
