import type { ApprovalRule } from './approval-request.ts';

/** Port: rules where they outlive the window. A folder must have no way to put any there. */
export interface RuleStore {
  /** What holds now, whoever changed it. */
  load(): readonly ApprovalRule[];
  /** Changes what holds now. Resolves when that is kept. */
  change(change: (rules: readonly ApprovalRule[]) => readonly ApprovalRule[]): Promise<void>;
}

/** What is always allowed in a workspace. All its chats and windows share it. */
export class KeptRules {
  private readonly store: RuleStore;

  /** Resolves once the rules were read, so that what is wrong with them is told before the first question. */
  static load(store: RuleStore): Promise<KeptRules> {
    store.load();
    return Promise.resolve(new KeptRules(store));
  }

  private constructor(store: RuleStore) {
    this.store = store;
  }

  /** Looked up each time: what another window took back holds no more. */
  get rules(): readonly ApprovalRule[] {
    return this.store.load();
  }

  /** Resolves when it is kept. */
  add(rule: ApprovalRule): Promise<void> {
    return this.store.change((rules) => [...withoutRule(rules, rule), rule]);
  }

  /** Resolves when it is kept. */
  remove(rule: ApprovalRule): Promise<void> {
    return this.store.change((rules) => withoutRule(rules, rule));
  }
}

/** The rules except one. */
export function withoutRule(rules: readonly ApprovalRule[], rule: ApprovalRule): readonly ApprovalRule[] {
  return rules.filter(
    ({ kind, pattern, reach, shell }) =>
      kind !== rule.kind || pattern !== rule.pattern || reach !== rule.reach || shell !== rule.shell,
  );
}
