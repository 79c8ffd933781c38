import type { ApprovalRule } from './approval-request.ts';
import { takesArguments } from './command-pattern.ts';

/** What a rule allows, in a line for people. */
export function ruleInWords({ kind, pattern }: ApprovalRule): string {
  switch (kind) {
    case 'edit':
      return pattern === '**' ? 'Edits to any file that is not sensitive' : `Edits to ${pattern}`;
    case 'command':
      return takesArguments(pattern) ? `${pattern} … (with any arguments)` : `Exactly: ${pattern}`;
    case 'mcp':
      return `The tool ${pattern}`;
    case 'memory':
      return 'Notes to remember';
    case 'delegate':
      return 'Starting sub-agents';
  }
}
