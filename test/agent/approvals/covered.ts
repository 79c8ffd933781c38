import type { ApprovalRule } from '../../../src/agent/approvals/approval-request.ts';
import { coverageOfCommand } from '../../../src/agent/approvals/command-coverage.ts';
import type { CommandPlace } from '../../../src/agent/approvals/command-place.ts';
import { commandShell } from '../../../src/agent/approvals/command-words.ts';

/** The rule that the card of a command offers. */
export function ruleForCommand(
  command: string,
  platform: NodeJS.Platform,
  place: CommandPlace,
): ApprovalRule | undefined {
  return coverageOfCommand(command, commandShell(platform), place).rule;
}

/** True if rules with these patterns let a command run without a question. */
export function isCommandCovered(
  command: string,
  isAllowed: (pattern: string) => boolean,
  platform: NodeJS.Platform,
  place: CommandPlace,
): boolean {
  const { patterns, rule } = coverageOfCommand(command, commandShell(platform), place);
  return (
    rule !== undefined && (isAllowed(rule.pattern) || (patterns.length > 0 && patterns.every(isAllowed)))
  );
}
