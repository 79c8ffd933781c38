import type { Message, ToolCall } from '../message.ts';
import { parseShallow } from '../text/parse-json.ts';
import { factText } from './fact-text.ts';
import { sentencesIn } from './sentences.ts';

/** Tools with which agents keep a list of steps: our own, and those of common agents. */
export const planTool =
  /^(?:(?:update|write|set|manage)_?)?(?:plan|todos?|todo_?list|tasks?)(?:_?(?:write|update|list))?$/iu;
const doneStatus = /^(?:completed?|done|cancell?ed|skipped|finished)$/iu;
const heading =
  /^(?:#{1,6}\s*|\*\*)?(?:(?:the |my )?(?:next|remaining|open|outstanding) (?:steps?|tasks?|work|items?)|what(?:['’]s| is) (?:left|next)|still to do|to ?do|下一步|接下来|待办|剩余(?:工作|任务)?)\s*(?:\*\*\s*)?(?:[:：]\s*)?(?:\*\*\s*)?$/iu;
const item = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[ \]\s*)?(\S.*)$/u;
const doneItem = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(?:\[[xX]\]|~~|✅)/u;
const announcement =
  /^(?:(?:the )?next steps? (?:is|are|will be|would be)|next(?:,? (?:i|we)(?:['’]ll| will)|\s*:)|(?:what )?(?:remains|is left)(?: to do)?(?: is)?\b|still (?:to do|open|missing)\s*:|下一步)/iu;
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

function listIn(input: unknown): readonly unknown[] | undefined {
  if (Array.isArray(input)) return input as readonly unknown[];
  if (typeof input !== 'object' || input === null) return undefined;
  return Object.values(input).find((value): value is readonly unknown[] => Array.isArray(value));
}

function openStep(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null) return undefined;
  const { status, state, done, completed, ...rest } = entry as Readonly<Record<string, unknown>>;
  const isDone =
    done === true || completed === true || [status, state].some((value) => doneStatus.test(String(value)));
  if (isDone) return undefined;
  const named = ['step', 'content', 'title', 'text', 'task', 'description', 'name'].map((name) => rest[name]);
  const text = named.find((value) => typeof value === 'string');
  return text !== undefined && text.trim().length >= shortestStep ? factText(text) : undefined;
}

/** What a reply says is left to do: the list under such a heading, or the sentences that say so. */
export function announcedSteps({ role, content }: Pick<Message, 'role' | 'content'>): readonly string[] {
  if (role !== 'assistant' || typeof content !== 'string') return [];
  const lines = content.split('\n');
  const start = lines.findLastIndex((line) => heading.test(line.trim()));
  if (start >= 0) {
    const steps: string[] = [];
    for (const line of lines.slice(start + 1)) {
      const step = item.exec(line)?.[1];
      if (step !== undefined && !doneItem.test(line)) steps.push(factText(step));
      // A line of text ends the list, a blank one or a step's own details do not.
      else if (line.trim() !== '' && !/^\s/u.test(line) && !doneItem.test(line)) break;
    }
    if (steps.length > 0) return steps.slice(0, mostSteps);
  }
  return sentencesIn(content)
    .filter((sentence) => announcement.test(sentence))
    .slice(-2);
}
