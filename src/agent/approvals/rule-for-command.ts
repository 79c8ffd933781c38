import type { ApprovalRule } from './approval-request.ts';
import { coverageOf } from './command-coverage.ts';
import type { CommandPlace } from './command-place.ts';
import { commandShell } from './command-shell.ts';
import { useNamed, type ProgramUse } from './looking-programs.ts';

/**
 * Finds the rule to offer for a command: its program with all that only looks, or its very words.
 *
 * @returns undefined for what a person should look at every time
 */
export function ruleForCommand(
  command: string,
  platform: NodeJS.Platform = process.platform,
  place?: CommandPlace,
): ApprovalRule | undefined {
  return coverageOf(command, commandShell(platform), place).rule;
}

/** The program whose uses a pattern covers; undefined where it is the very words of a command. */
export function usedBy(pattern: string): ProgramUse | undefined {
  return useNamed(pattern.replace(/^cd (?:'[^']*'|[^ ']+) && /, ''));
}

/** True if a command may run unasked in a place, by what was allowed. */
export function isCommandCovered(
  command: string,
  isAllowed: (pattern: string) => boolean,
  platform: NodeJS.Platform,
  place: CommandPlace,
): boolean {
  const { patterns, rule } = coverageOf(command, commandShell(platform), place);
  return (
    rule !== undefined && (isAllowed(rule.pattern) || (patterns.length > 0 && patterns.every(isAllowed)))
  );
}
