import { orCancelled, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import type { FileChange } from '../edits/file-editor.ts';
import type { CommandShell } from './command-words.ts';
import type { Sentence } from '../../language/sentence.ts';

/** A question for the user before the agent acts. Its values and details may come from a model. */
export interface ApprovalRequest {
  readonly kind: ApprovalKind;
  /** The action in one line, such as `Edit src/lock.ts`. */
  readonly title: Sentence;
  /** The whole action: the command, the arguments, or a list of sentences; empty if `changes` shows it. */
  readonly details: string | readonly Sentence[];
  readonly warnings?: readonly Sentence[] | undefined;
  /** The changes to files, for review before they are made. */
  readonly changes?: readonly FileChange[] | undefined;
  /** Patterns of the request. It is allowed if each of them has a rule. */
  readonly patterns: readonly string[];
  /** The rule that "this session" and "always" would add; if undefined, only "once" is offered. */
  readonly rule?: ApprovalRule | undefined;
  /** The terms on which a command would run; undefined for other requests. */
  readonly terms?: CommandTerms | undefined;
}

export type ApprovalKind = 'edit' | 'command' | 'read' | 'mcp' | 'memory' | 'delegate';

/** A rule that allows every request of one kind with one pattern. */
export interface ApprovalRule {
  readonly kind: ApprovalKind;
  /** For a command, the name of a read-only program or the exact words; for any other kind, a name. */
  readonly pattern: string;
  /** The shell that parses the command. Undefined in rules of earlier versions and of other kinds. */
  readonly shell?: CommandShell | undefined;
  /** The widest reach that the command may have; undefined if the rule was made without a sandbox. */
  readonly reach?: CommandReach | undefined;
}

type ApprovalScope = 'once' | 'session' | 'always';

export type ApprovalDecision =
  | {
      readonly isAllowed: true;
      readonly scope: ApprovalScope;
      /** The widest reach that the command may have; undefined if it is the requested reach. */
      readonly reach?: CommandReach | undefined;
    }
  /** @property feedback instruction of the user to the model; may be empty */
  | { readonly isAllowed: false; readonly feedback: string };

/** Reaches of a command, from narrow to wide: the sandbox, the sandbox with the network, all the user can reach. */
export const commandReaches = ['sandbox', 'network', 'everything'] as const;

export type CommandReach = (typeof commandReaches)[number];

/** The reason for having no sandbox: the setting, the machine, a home folder in the workspace, or the file system. */
export type NoSandbox = 'off' | 'missing' | 'home' | 'folder';

/** The terms on which a command would run, for the user to judge. */
export interface CommandTerms {
  /** The requested reach. If there is a sandbox, the user can allow another reach. */
  readonly reach: CommandReach;
  readonly withoutSandbox?: NoSandbox | undefined;
  /** The model's reason for using the network. */
  readonly networkReason?: string | undefined;
}

/**
 * True if a rule allows the reach that a command requests.
 * @param allowed undefined for a rule made without a sandbox; in a sandbox it allows only the narrowest reach
 * @param terms undefined if the request is not a command
 */
export function reachesAsFar(allowed: CommandReach | undefined, terms: CommandTerms | undefined): boolean {
  if (terms === undefined) return allowed === undefined;
  if (allowed === undefined) return terms.withoutSandbox !== undefined || terms.reach === 'sandbox';
  return isAtLeast(allowed, terms.reach);
}

function isAtLeast(reach: CommandReach, other: CommandReach): boolean {
  return commandReaches.indexOf(reach) >= commandReaches.indexOf(other);
}

/** Port to the approvals given so far. */
export interface ApprovalPolicy {
  isAllowed(request: ApprovalRequest): boolean | Promise<boolean>;
  allow(rule: ApprovalRule, scope: 'session' | 'always'): void | Promise<void>;
}

interface Question {
  readonly request: ApprovalRequest;
  readonly answer: (decision: ApprovalDecision) => void;
}

/** Requests that wait for the user's answer. */
export class PendingApprovals {
  private readonly policy: ApprovalPolicy;
  private readonly tell: (callKey: string, request: ApprovalRequest | undefined) => void;
  private readonly questions = new Map<string, Question>();

  /** @param tell called with each new question, and without a request when the question is settled */
  constructor(policy: ApprovalPolicy, tell: (callKey: string, request: ApprovalRequest | undefined) => void) {
    this.policy = policy;
    this.tell = tell;
  }

  requestOf(callKey: string): ApprovalRequest | undefined {
    return this.questions.get(callKey)?.request;
  }

  /** Asks the user, unless a rule allows the request. @throws {CancelledError} if the signal is aborted first */
  async ask(request: ApprovalRequest, callKey: string, signal: AbortSignal): Promise<ApprovalDecision> {
    throwIfCancelled(signal);
    const allowed = await this.allowedBefore(request);
    if (allowed !== undefined) return allowed;
    throwIfCancelled(signal);
    try {
      const decision = new Promise<ApprovalDecision>((resolve) => {
        this.questions.set(callKey, { request, answer: resolve });
        this.tell(callKey, request);
      });
      return await orCancelled(decision, signal);
    } finally {
      this.questions.delete(callKey);
      this.tell(callKey, undefined);
    }
  }

  /** Answers a question, and the others that a lasting approval covers. @returns true if the question was waiting */
  async decide(callKey: string, decision: ApprovalDecision): Promise<boolean> {
    const question = this.questions.get(callKey);
    if (question === undefined) return false;
    const { rule, terms } = question.request;
    if (decision.isAllowed && decision.scope !== 'once' && rule !== undefined) {
      await this.policy.allow(withReach(rule, terms, decision.reach), decision.scope);
    }
    question.answer(decision);
    for (const [key, { request, answer }] of this.questions) {
      const allowed = key === callKey ? undefined : await this.allowedBefore(request);
      if (allowed !== undefined) answer(allowed);
    }
    return true;
  }

  /** Returns the approval by rules, with the widest reach that they allow: the request may need less. */
  private async allowedBefore(request: ApprovalRequest): Promise<ApprovalDecision | undefined> {
    const { terms } = request;
    if (terms === undefined) {
      return (await this.policy.isAllowed(request)) ? { isAllowed: true, scope: 'once' } : undefined;
    }
    for (const reach of commandReaches.toReversed()) {
      if (!isAtLeast(reach, terms.reach)) break;
      const isAllowed = await this.policy.isAllowed({ ...request, terms: { ...terms, reach } });
      if (isAllowed) return { isAllowed: true, scope: 'once', reach };
    }
    return undefined;
  }
}

function withReach(
  rule: ApprovalRule,
  terms: CommandTerms | undefined,
  chosen: CommandReach | undefined,
): ApprovalRule {
  if (terms === undefined || terms.withoutSandbox !== undefined) return rule;
  return { ...rule, reach: chosen ?? terms.reach };
}
