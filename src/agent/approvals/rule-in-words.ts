import type { ApprovalRule } from './approval-request.ts';
import type { CommandReach } from './command-reach.ts';
import { usedBy } from './rule-for-command.ts';

/** What a rule allows, in a line for people. */
export function ruleInWords(rule: ApprovalRule): string {
  const { reach } = rule;
  return reach === undefined ? patternInWords(rule) : `${patternInWords(rule)}${reachInWords[reach]}`;
}

const reachInWords: Readonly<Record<CommandReach, string>> = {
  sandbox: ', in the sandbox without network',
  network: ', in the sandbox with network',
  everything: ', outside the sandbox',
};

function patternInWords({ kind, pattern }: ApprovalRule): string {
  switch (kind) {
    case 'edit':
      return 'Edits to source texts and documents, but not to what sets up tools, runs by itself or instructs agents';
    case 'command': {
      const use = usedBy(pattern);
      if (use === undefined) return `Exactly: ${pattern}`;
      return use.records === true
        ? `${pattern} … (with its everyday options, inside the workspace)`
        : `${pattern} … (with all options that only look, inside the workspace)`;
    }
    case 'read':
      return `Reading ${pattern}`;
    case 'mcp':
      return `The tool ${pattern}`;
    case 'memory':
      return 'Notes to remember';
    case 'delegate':
      return 'Starting sub-agents';
  }
}
