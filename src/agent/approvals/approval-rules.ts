import type { ApprovalRequest, ApprovalRule } from './approval-request.ts';
import { reachesAsFar } from './command-reach.ts';
import { withoutRule, type KeptRules } from './kept-rules.ts';
import type { ApprovalPolicy } from './pending-approvals.ts';

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

  /** True if rules cover everything that a request would do. One that offers no rule is looked at every time. */
  isAllowed({ kind, subjects, rule, terms }: ApprovalRequest): boolean {
    if (!this.isEnabled() || rule === undefined) return false;
    const patterns = new Set(
      this.list().flatMap((held) =>
        held.rule.kind === kind && held.rule.shell === rule.shell && reachesAsFar(held.rule.reach, terms)
          ? [held.rule.pattern]
          : [],
      ),
    );
    if (patterns.has(rule.pattern)) return true;
    return subjects.length > 0 && subjects.every((subject) => patterns.has(subject));
  }

  /** Allows everything that fits a rule from now on. */
  async allow(rule: ApprovalRule, scope: 'session' | 'always'): Promise<void> {
    if (scope === 'always') {
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
