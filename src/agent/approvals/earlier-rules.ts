import type { ApprovalRule } from './approval-request.ts';
import { ordinaryFiles } from '../edits/edit-approval.ts';
import { coverageOf } from './command-coverage.ts';
import { commandShell, type CommandShell } from './command-shell.ts';
import type { KeptRules } from './kept-rules.ts';
import { usedBy } from './rule-for-command.ts';

/**
 * Brings rules of earlier versions up to date: one that would be offered today holds as it reads now, which is never
 * further than it did; one that would not is taken back.
 *
 * @param log hears, in a sentence, of each rule that is taken back
 */
export async function bringUpToDate(
  kept: KeptRules,
  log: (sentence: string) => void,
  shell: CommandShell = commandShell(),
): Promise<void> {
  for (const rule of kept.rules) {
    const today = asToday(rule, shell);
    if (today === rule) continue;
    await kept.remove(rule);
    if (today !== undefined) await kept.add(today);
    else log(`A rule of an earlier version is asked about again: ${rule.kind} ${rule.pattern}`);
  }
}

/** The rule as it would be made today, or undefined where it would not be. */
function asToday(rule: ApprovalRule, shell: CommandShell): ApprovalRule | undefined {
  const { kind, pattern } = rule;
  if (kind === 'edit') return pattern === ordinaryFiles ? rule : undefined;
  // A command was read by the shell of another machine: it is kept, and holds there.
  if (kind !== 'command' || (rule.shell !== undefined && rule.shell !== shell)) return rule;
  const isOffered =
    usedBy(pattern) !== undefined || coverageOf(pattern, shell, undefined).rule?.pattern === pattern;
  if (!isOffered) return undefined;
  return rule.shell === undefined ? { ...rule, shell } : rule;
}
