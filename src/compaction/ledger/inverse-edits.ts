import { isRecord } from '../../language/is-record.ts';
import type { ToolCall } from '../messages/message.ts';
import { remembered } from '../messages/remembered.ts';
import { parseShallow } from '../text/parse-json.ts';
import { calledFunction } from './called-function.ts';

const oldKey = /^old_?(?:str|string|text)$/iu;
const newKey = /^new_?(?:str|string|text)$/iu;

interface Replacement {
  readonly before: string;
  readonly after: string;
}

/** The passage that a call replaces, in the forms of common editing tools. */
const replacementOf = remembered(({ function: called }: ToolCall): Replacement | undefined => {
  const input = parseShallow(calledFunction(called).arguments)?.value;
  if (!isRecord(input)) return undefined;
  const textAt = (key: RegExp) => Object.entries(input).find(([name]) => key.test(name))?.[1];
  const [before, after] = [textAt(oldKey), textAt(newKey)];
  return typeof before === 'string' && typeof after === 'string' && before !== after
    ? { before, after }
    : undefined;
});

/** True if a call puts back what another one replaced, in the same file. */
export function isInverse(later: ToolCall, earlier: ToolCall): boolean {
  const [back, first] = [replacementOf(later), replacementOf(earlier)];
  return back !== undefined && back.before === first?.after && back.after === first.before;
}

/** True for the command of an editor that takes back the last edit of a file. */
export function isUndoCall({ function: called }: ToolCall): boolean {
  const input = parseShallow(calledFunction(called).arguments)?.value;
  return isRecord(input) && input['command'] === 'undo_edit';
}
