import type { ApprovalRule } from './approval-request.ts';

/** Port: rules where they outlive the window. A folder must have no way to put any there. */
export interface RuleStore {
  load(): Promise<readonly ApprovalRule[]>;
  save(rules: readonly ApprovalRule[]): Promise<void>;
}

/** What is always allowed in a workspace. All its chats share it. */
export class KeptRules {
  private readonly store: RuleStore;
  private current: readonly ApprovalRule[];

  static async load(store: RuleStore): Promise<KeptRules> {
    return new KeptRules(store, await store.load());
  }

  private constructor(store: RuleStore, rules: readonly ApprovalRule[]) {
    this.store = store;
    this.current = rules;
  }

  get rules(): readonly ApprovalRule[] {
    return this.current;
  }

  /** Holds at once; resolves when it is kept. */
  add(rule: ApprovalRule): Promise<void> {
    this.current = [...withoutRule(this.current, rule), rule];
    return this.store.save(this.current);
  }

  /** Holds at once; resolves when it is kept. */
  async remove(rule: ApprovalRule): Promise<void> {
    const left = withoutRule(this.current, rule);
    if (left.length === this.current.length) return;
    this.current = left;
    await this.store.save(left);
  }
}

/** The rules except one. */
export function withoutRule(rules: readonly ApprovalRule[], rule: ApprovalRule): readonly ApprovalRule[] {
  return rules.filter(({ kind, pattern }) => kind !== rule.kind || pattern !== rule.pattern);
}
