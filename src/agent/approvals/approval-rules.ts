import type { ApprovalRequest, ApprovalRule } from './approval-request.ts';
import { withoutRule, type KeptRules } from './kept-rules.ts';
import { fitsGlob } from './path-glob.ts';
import type { ApprovalPolicy } from './pending-approvals.ts';
import { isCommandCovered, ruleForCommand } from './rule-for-command.ts';

/** A rule, and how long it holds. */
export interface HeldRule {
  readonly rule: ApprovalRule;
  readonly scope: 'session' | 'always';
}

/** What a person has allowed: in one chat, and in all chats of the workspace. */
export class ApprovalRules implements ApprovalPolicy {
  private readonly kept: KeptRules;
  private readonly isEnabled: () => boolean;
  private ofSession: readonly ApprovalRule[] = [];

  /** @param isEnabled false in Restricted Mode, where nothing is allowed, whatever was before */
  constructor(kept: KeptRules, isEnabled: () => boolean) {
    this.kept = kept;
    this.isEnabled = isEnabled;
  }

  /** Whether rules cover everything that a request would do. */
  isAllowed({ kind, subjects, rule }: ApprovalRequest): boolean {
    if (!this.isEnabled() || subjects.length === 0) return false;
    // What a request offers no rule for is looked at every time; a command that was allowed word for word is the exception.
    if (rule === undefined && kind !== 'command') return false;
    const patterns = new Set(
      this.list().flatMap((held) => (held.rule.kind === kind ? [held.rule.pattern] : [])),
    );
    return subjects.every((subject) => {
      if (kind === 'command') return isCommandCovered(subject, (pattern) => patterns.has(pattern));
      if (kind === 'edit') return [...patterns].some((glob) => fitsGlob(subject, glob));
      return patterns.has(subject);
    });
  }

  /**
   * Allows everything that fits a rule from now on. For commands that should be looked at each time, `always` is
   * until the end of the chat.
   */
  async allow(rule: ApprovalRule, scope: 'session' | 'always'): Promise<void> {
    if (scope === 'always' && mayBeKept(rule)) {
      this.ofSession = withoutRule(this.ofSession, rule);
      await this.kept.add(rule);
    } else {
      this.ofSession = [...withoutRule(this.ofSession, rule), rule];
    }
  }

  /** What holds, the rules of the workspace first. */
  list(): readonly HeldRule[] {
    return [
      ...this.kept.rules.map((rule) => ({ rule, scope: 'always' as const })),
      ...this.ofSession.map((rule) => ({ rule, scope: 'session' as const })),
    ];
  }

  async remove(rule: ApprovalRule): Promise<void> {
    this.ofSession = withoutRule(this.ofSession, rule);
    await this.kept.remove(rule);
  }
}

function mayBeKept({ kind, pattern }: ApprovalRule): boolean {
  return kind !== 'command' || ruleForCommand(pattern)?.pattern === pattern;
}
