import { isRecord } from '../../language/is-record.ts';
import { isPrompt, type Message, textOf, type ToolCall } from '../messages/message.ts';
import type { Moment, PlanStep, WorkState } from '../messages/where-it-stands.ts';
import { parseShallow } from '../text/parse-json.ts';
import { factText } from './call-facts.ts';
import { calledFunction } from './called-function.ts';

/** Tools for an agent's list of steps: our own tool, and the tools of common agents. */
const planTool =
  /^(?:(?:update|write|set|manage)_?)?(?:plan|todos?|todo_?list|tasks?)(?:_?(?:write|update|list))?$/iu;
/** Tools of Claude Code since 2.1 that add or change one step. */
const createTool = /^TaskCreate$/u;
const updateTool = /^TaskUpdate$/u;
/** Argument names with which Roo Code and Cline pass a list of steps as Markdown. */
const checklistKeys = ['todos', 'task_progress'] as const;
const checklistLine = /^\s*(?:[-*] |\d{1,3}[.)] )?\[([ xX~-])\] (\S.*)$/u;
const mostSteps = 100;

/** Words for the states of a step. Removed steps are left out. */
const stateWords = [
  ['open', /^(?:pending|open|todo|not[_-]started)$/iu],
  ['in progress', /^(?:in[_-]progress|doing|active)$/iu],
  ['done', /^(?:completed?|done|finished)$/iu],
  ['gone', /^(?:cancell?ed|skipped|deleted)$/iu],
] as const;

/**
 * Returns the plan after a successful call.
 *
 * @param result text of the result, which names an added step
 * @returns undefined for a call that sets no plan
 */
export function planAfter(
  plan: readonly PlanStep[],
  { function: called }: ToolCall,
  result: string,
): readonly PlanStep[] | undefined {
  const { name, arguments: written } = calledFunction(called);
  const isPlanTool = planTool.test(name);
  const isSingle = createTool.test(name) || updateTool.test(name);
  if (!isPlanTool && !isSingle && !written.includes('task_progress')) return undefined;
  const input = parseShallow(written)?.value;
  if (createTool.test(name)) return withCreated(plan, input, result);
  if (updateTool.test(name)) return withUpdated(plan, input);
  const checklist = isRecord(input)
    ? checklistKeys.map((key) => input[key]).find((value) => typeof value === 'string')
    : undefined;
  if (typeof checklist === 'string') {
    const steps = checklistSteps(checklist);
    return steps.length > 0 ? steps : undefined;
  }
  const list = isPlanTool ? listIn(input) : undefined;
  if (list === undefined) return undefined;
  const steps = list.slice(0, mostSteps).flatMap((entry) => stepOf(entry) ?? []);
  if (list.length > 0 && steps.length === 0) return undefined;
  return isRecord(input) && input['merge'] === true ? merged(plan, steps) : steps;
}

/** Reads the steps of a plan that our own agent keeps in a message. */
export function stepsOfPlan({ content }: Message): readonly PlanStep[] {
  return checklistSteps(textOf(content));
}

/** Finds, for each prompt, the first reply that ends the work on the prompt. */
export function closingReplies(messages: readonly Message[]): ReadonlySet<Message> {
  const replies = new Set<Message>();
  let isAsked = false;
  for (const message of messages) {
    if (isPrompt(message)) isAsked = true;
    const { role, kind, tool_calls: calls = [], interrupted } = message;
    const isClosing =
      role === 'assistant' && kind === undefined && calls.length === 0 && interrupted !== true;
    if (!isAsked || !isClosing) continue;
    isAsked = false;
    replies.add(message);
  }
  return replies;
}

type Planned = Pick<WorkState, 'plan' | 'planAge'>;

/** Returns a plan that was just written. */
export function newPlan(plan: readonly PlanStep[], { calls, edits }: Moment): Planned {
  return { plan, planAge: { at: { calls, edits }, answers: 0, commits: 0 } };
}

/**
 * Ages an unchanged plan after a commit or an answered request. A plan ends after two answered requests, or after one
 * if the plan is done or a commit was made.
 */
export function agedPlan(
  { plan, planAge, calls, edits }: Planned & Moment,
  what: 'answers' | 'commits',
): Planned {
  const known = planAge ?? { at: { calls, edits }, answers: 0, commits: 0 };
  const age = { ...known, [what]: known[what] + 1 };
  const isDone = plan.every(({ state }) => state === 'done');
  const isOver = age.answers > 1 || (age.answers > 0 && (age.commits > 0 || isDone));
  return plan.length === 0 || isOver ? { plan: [] } : { plan, planAge: age };
}

function stepOf(entry: unknown): PlanStep | undefined {
  if (!isRecord(entry)) return undefined;
  const named = ['step', 'content', 'title', 'text', 'subject', 'task', 'description', 'name'];
  const text = named
    .map((name) => entry[name])
    .find((value) => typeof value === 'string' && value.trim() !== '');
  const state = stateOf(entry) ?? 'open';
  if (typeof text !== 'string' || state === 'gone') return undefined;
  return { text: factText(text), state, ...idOf(entry['id']) };
}

/** Finds the list in a plan call: the input itself, or the first list in the input. */
function listIn(input: unknown): readonly unknown[] | undefined {
  if (Array.isArray(input)) return input as readonly unknown[];
  if (!isRecord(input)) return undefined;
  return Object.values(input).find((value): value is readonly unknown[] => Array.isArray(value));
}

function stateOf({ status, state, done, completed }: Readonly<Record<string, unknown>>) {
  const told = [status, state].find((value) => typeof value === 'string');
  if (typeof told === 'string') return stateWords.find(([, words]) => words.test(told))?.[0];
  const flag = [done, completed].find((value) => typeof value === 'boolean');
  return typeof flag !== 'boolean' ? undefined : flag ? 'done' : 'open';
}

function idOf(id: unknown): Pick<PlanStep, 'id'> {
  return typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {};
}

function checklistSteps(text: string): readonly PlanStep[] {
  return text.split('\n', mostSteps).flatMap((line): PlanStep | readonly [] => {
    const [, sign, step = ''] = checklistLine.exec(line) ?? [];
    if (sign === undefined) return [];
    const state = sign === ' ' ? 'open' : /x/iu.test(sign) ? 'done' : 'in progress';
    return { text: factText(step), state };
  });
}

function merged(plan: readonly PlanStep[], steps: readonly PlanStep[]): readonly PlanStep[] {
  const later = new Map(steps.map((step) => [step.id ?? step.text, step]));
  const kept = plan.map((step) => later.get(step.id ?? step.text) ?? step);
  const known = new Set(plan.map((step) => step.id ?? step.text));
  return [...kept, ...steps.filter((step) => !known.has(step.id ?? step.text))];
}

function withCreated(
  plan: readonly PlanStep[],
  input: unknown,
  result: string,
): readonly PlanStep[] | undefined {
  const id = /^Task #(\d{1,6}) created\b/u.exec(result)?.[1];
  const step = isRecord(input) ? stepOf({ status: 'pending', ...input, id }) : undefined;
  return step === undefined || id === undefined ? undefined : [...plan, step];
}

function withUpdated(plan: readonly PlanStep[], input: unknown): readonly PlanStep[] | undefined {
  if (!isRecord(input)) return undefined;
  const state = stateOf(input);
  const { taskId } = input;
  if (state === undefined || !['string', 'number'].includes(typeof taskId)) return undefined;
  return plan.flatMap((step) =>
    step.id !== String(taskId) ? step : state === 'gone' ? [] : { ...step, state },
  );
}
