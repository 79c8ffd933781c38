import {
  type ApprovalPolicy,
  type ApprovalRequest,
  type ApprovalRule,
  type CommandReach,
  reachesAsFar,
} from './approval-request.ts';
import { coverageOfCommand, usedBy } from './command-coverage.ts';
import { commandShell, type CommandShell } from './command-words.ts';
import { ordinaryFiles } from './edit-approval.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';

/** A rule with its scope. */
export interface HeldRule {
  readonly rule: ApprovalRule;
  readonly scope: 'session' | 'always';
}

/** The rules that the user has made: for one chat, and for all chats of the workspace. */
export class ApprovalRules implements ApprovalPolicy {
  private readonly kept: StoredRules;
  private readonly isEnabled: () => boolean;
  private ofSession: readonly ApprovalRule[] = [];

  /** @param isEnabled false in Restricted Mode, where no rule applies */
  constructor(kept: StoredRules, isEnabled: () => boolean) {
    this.kept = kept;
    this.isEnabled = isEnabled;
  }

  /** True if rules cover the whole request. A request that offers no rule is always shown to the user. */
  isAllowed({ kind, patterns, rule, terms }: ApprovalRequest): boolean {
    if (!this.isEnabled() || rule === undefined) return false;
    const allowed = new Set(
      this.list().flatMap((held) =>
        held.rule.kind === kind && held.rule.shell === rule.shell && reachesAsFar(held.rule.reach, terms)
          ? [held.rule.pattern]
          : [],
      ),
    );
    if (allowed.has(rule.pattern)) return true;
    return patterns.length > 0 && patterns.every((pattern) => allowed.has(pattern));
  }

  async allow(rule: ApprovalRule, scope: 'session' | 'always'): Promise<void> {
    if (scope === 'always') {
      this.ofSession = withoutRule(this.ofSession, rule);
      await this.kept.add(rule);
    } else {
      this.ofSession = [...withoutRule(this.ofSession, rule), rule];
    }
  }

  /** Returns the rules in force, first the rules of the workspace. */
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

/** Port to the store that keeps rules after the window closes. A workspace folder must not be able to write to it. */
export interface RuleStore {
  /** Returns the present rules, including changes by other windows. */
  load(): readonly ApprovalRule[];
  change(change: (rules: readonly ApprovalRule[]) => readonly ApprovalRule[]): Promise<void>;
}

/** The stored rules of a workspace, shared by all its chats and windows. */
export class StoredRules {
  private readonly store: RuleStore;

  /** Resolves once the rules have been read, so that problems with them are reported before the first question. */
  static load(store: RuleStore): Promise<StoredRules> {
    store.load();
    return Promise.resolve(new StoredRules(store));
  }

  private constructor(store: RuleStore) {
    this.store = store;
  }

  /** Reads the store each time because another window may have removed a rule. */
  get rules(): readonly ApprovalRule[] {
    return this.store.load();
  }

  add(rule: ApprovalRule): Promise<void> {
    return this.store.change((rules) => [...withoutRule(rules, rule), rule]);
  }

  remove(rule: ApprovalRule): Promise<void> {
    return this.store.change((rules) => withoutRule(rules, rule));
  }
}

function withoutRule(rules: readonly ApprovalRule[], rule: ApprovalRule): readonly ApprovalRule[] {
  return rules.filter(
    ({ kind, pattern, reach, shell }) =>
      kind !== rule.kind || pattern !== rule.pattern || reach !== rule.reach || shell !== rule.shell,
  );
}

/** Updates rules of earlier versions without broadening them. Logs a sentence for each removed rule. */
export async function bringUpToDate(
  kept: StoredRules,
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

function asToday(rule: ApprovalRule, shell: CommandShell): ApprovalRule | undefined {
  const { kind, pattern } = rule;
  if (kind === 'edit') return pattern === ordinaryFiles ? rule : undefined;
  // The rule was made for the shell of another machine, where it stays valid.
  if (kind !== 'command' || (rule.shell !== undefined && rule.shell !== shell)) return rule;
  const isOffered =
    usedBy(pattern) !== undefined || coverageOfCommand(pattern, shell, undefined).rule?.pattern === pattern;
  if (!isOffered) return undefined;
  return rule.shell === undefined ? { ...rule, shell } : rule;
}

/** Describes the allowed actions to the user on one line. */
export function ruleInWords(rule: ApprovalRule): Sentence {
  const { reach } = rule;
  const pattern = patternInWords(rule);
  return reach === undefined ? pattern : agentSentences.say(reachInWords[reach], { rule: pattern });
}

const reachInWords = {
  sandbox: 'ruleSandbox',
  network: 'ruleSandboxNetwork',
  everything: 'ruleOutsideSandbox',
} as const satisfies Record<CommandReach, string>;

function patternInWords({ kind, pattern }: ApprovalRule): Sentence {
  switch (kind) {
    case 'edit':
      return agentSentences.say('ruleEdits');
    case 'command': {
      const use = usedBy(pattern);
      if (use === undefined) return agentSentences.say('ruleExactly', { command: pattern });
      return agentSentences.say(use.records === true ? 'ruleEveryday' : 'ruleReadOnly', { command: pattern });
    }
    case 'read':
      return agentSentences.say('ruleReading', { file: pattern });
    case 'mcp':
      return agentSentences.say('ruleMcpTool', { tool: pattern });
    case 'memory':
      return agentSentences.say('ruleMemory');
    case 'delegate':
      return agentSentences.say('ruleSubAgents');
  }
}
