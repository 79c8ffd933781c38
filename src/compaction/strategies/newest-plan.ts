import { headAndTail } from '../clip.ts';
import type { Message } from '../message.ts';
import { planIn } from '../summary/snapshot.ts';

/** Tools by which agents write down their plan: `update_plan`, `TodoWrite`, `write_todos`, `manage_todo_list` … */
const planTool =
  /^(?:update_?plan|(?:write|update|manage|set|create)_?(?:todos?|tasks?)(?:_?list)?|todo_?(?:write|list)|todos)$/i;
/** Longest plan that is carried on, in characters. */
const longestPlan = 16_000;

/**
 * The agent's plan, word for word: what its newest call that set one was given, or what a snapshot carries on from an
 * earlier one.
 *
 * @returns undefined where there is no plan in the messages, or a newer one in those that stay
 */
export function newestPlan(leaving: readonly Message[], staying: readonly Message[]): string | undefined {
  if (staying.some((message) => planCallIn(message) !== undefined)) return undefined;
  for (const message of leaving.toReversed()) {
    const plan = planCallIn(message) ?? planIn(message);
    if (plan !== undefined) return headAndTail(plan, longestPlan);
  }
  return undefined;
}

function planCallIn(message: Message): string | undefined {
  return message.tool_calls?.findLast(({ function: called }) => planTool.test(called.name))?.function
    .arguments;
}
