import type { ApprovalRule } from './approval-request.ts';
import { dangerOfCommand } from './command-danger.ts';
import { patternsOf } from './command-pattern.ts';

/**
 * The rule to offer for a command: what is run, without the arguments that do not matter; or its very text, where
 * several things are run or it is not certain what.
 *
 * @returns undefined for what a person should look at every time
 */
export function ruleForCommand(command: string, platform = process.platform): ApprovalRule | undefined {
  const patterns = patternsOf(command, platform);
  if (patterns?.length === 1) return { kind: 'command', pattern: patterns[0]! };
  if (dangerOfCommand(command) !== undefined) return undefined;
  return { kind: 'command', pattern: command.trim() };
}

/** Whether a command may run unasked, by what was allowed. The very text of it always counts. */
export function isCommandCovered(
  command: string,
  isAllowed: (pattern: string) => boolean,
  platform = process.platform,
): boolean {
  return isAllowed(command.trim()) || (patternsOf(command, platform)?.every(isAllowed) ?? false);
}
