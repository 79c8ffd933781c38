import { isRecord } from '../../language/is-record.ts';
import type { ToolCall } from '../messages/message.ts';
import { parseShallow } from '../text/parse-json.ts';
import { factText } from './call-facts.ts';

/** Tools with which agents keep a list of steps: our own, and those of common agents. */
export const planTool =
  /^(?:(?:update|write|set|manage)_?)?(?:plan|todos?|todo_?list|tasks?)(?:_?(?:write|update|list))?$/iu;
const doneStatus = /^(?:completed?|done|cancell?ed|skipped|finished)$/iu;
const mostSteps = 10;
/** A step named twice by its status and its text is one word longer than this, in characters. */
const shortestStep = 3;

/** The steps of a plan that a call writes which are not done yet; undefined for any other call. */
export function openStepsOf({ function: called }: ToolCall): readonly string[] | undefined {
  if (!planTool.test(called.name)) return undefined;
  const list = listIn(parseShallow(called.arguments)?.value);
  if (list === undefined) return undefined;
  return list.flatMap((entry) => openStep(entry) ?? []).slice(0, mostSteps);
}

/** The list that a plan call writes: its input, or the first list in it. */
export function listIn(input: unknown): readonly unknown[] | undefined {
  if (Array.isArray(input)) return input as readonly unknown[];
  if (!isRecord(input)) return undefined;
  return Object.values(input).find((value): value is readonly unknown[] => Array.isArray(value));
}

function openStep(entry: unknown): string | undefined {
  if (!isRecord(entry)) return undefined;
  const { status, state, done, completed, ...rest } = entry;
  const isDone =
    done === true ||
    completed === true ||
    [status, state].some((value) => typeof value === 'string' && doneStatus.test(value));
  if (isDone) return undefined;
  const named = ['step', 'content', 'title', 'text', 'task', 'description', 'name'].map((name) => rest[name]);
  const text = named.find((value) => typeof value === 'string');
  return text !== undefined && text.trim().length >= shortestStep ? factText(text) : undefined;
}
