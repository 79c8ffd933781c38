import { clipArguments } from '../clip-arguments.ts';
import { factsOfCall, isFactKey } from '../ledger/call-facts.ts';
import type { Message } from '../message.ts';
import type { StrategyInput } from './strategy.ts';
import type { Rewrite, WorkingView } from './working-view.ts';

/** Characters that a text in old arguments keeps: enough to tell what was written where. */
const longestText = 400;

/**
 * Clips the long texts in the calls before a position. Paths, commands and things looked for stay whole: they are
 * what later calls come back to.
 *
 * @param end index in the working view
 * @returns tokens freed
 */
export async function clipOldArguments(
  { protectedIds }: Pick<StrategyInput<unknown>, 'protectedIds'>,
  working: WorkingView,
  end: number,
): Promise<number> {
  const rewrites = working.messages
    .slice(0, end)
    .filter((message) => !protectedIds.has(message.id))
    .flatMap((message) => clipCalls(message));
  return working.rewrite(rewrites);
}

function isDeepEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function clipCalls(message: Message): readonly Rewrite[] {
  const calls = message.tool_calls ?? [];
  const toolCalls = calls.map((call) => {
    const clipped = clipArguments(call.function.arguments, longestText, isFactKey);
    if (clipped === undefined) return call;
    const shorter = { ...call, function: { ...call.function, arguments: clipped } };
    // A patch names its files in the middle of its text.
    return isDeepEqual(factsOfCall(shorter), factsOfCall(call)) ? shorter : call;
  });
  if (toolCalls.every((call, index) => call === calls[index])) return [];
  return [{ kind: 'clip', id: message.id, toolCalls, reason: 'old call arguments' }];
}
