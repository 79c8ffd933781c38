import { orCancelled, throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import type { FileChange } from '../edits/file-editor.ts';
import type { CommandShell } from './command-words.ts';
import type { Sentence } from '../../language/sentence.ts';

/** A question put to a person before the agent acts. Its values and details may come from a model. */
export interface ApprovalRequest {
  readonly kind: ApprovalKind;
  /** The action in one line: `Edit src/lock.ts`. */
  readonly title: Sentence;
  /** The whole action: the command, the arguments, or lines in words; empty if `changes` shows it. */
  readonly details: string | readonly Sentence[];
  /** Reasons to look twice. */
  readonly warnings?: readonly Sentence[] | undefined;
  /** The changes to files, for review beforehand. */
  readonly changes?: readonly FileChange[] | undefined;
  /** Patterns of rules which, all of them held, allow it as well as its own rule does. */
  readonly subjects: readonly string[];
  /** The rule that "this session" and "always" would add; without it there is only "once". */
  readonly rule?: ApprovalRule | undefined;
  /** Of a command: how far it would get. */
  readonly terms?: CommandTerms | undefined;
}

export type ApprovalKind = 'edit' | 'command' | 'read' | 'mcp' | 'memory' | 'delegate';

/** Allows everything of a kind that has its pattern. */
export interface ApprovalRule {
  readonly kind: ApprovalKind;
  /** For commands a program that only looks or the very words, otherwise a name. */
  readonly pattern: string;
  /** Of a command: the shell that it is written for. Rules of earlier versions had none. */
  readonly shell?: CommandShell | undefined;
  /** Of a command: how far it may get; left out if there was no sandbox. */
  readonly reach?: CommandReach | undefined;
}

/** The scope of an approval. */
type ApprovalScope = 'once' | 'session' | 'always';

export type ApprovalDecision =
  | {
      readonly isAllowed: true;
      readonly scope: ApprovalScope;
      /** Of a command: how far it may get; as far as was asked for if it is left out. */
      readonly reach?: CommandReach | undefined;
    }
  /** @property feedback what the user wants instead; may be empty */
  | { readonly isAllowed: false; readonly feedback: string };

/**
 * Reaches of a command, from the least to the most: in the sandbox; in the sandbox, with the network; as far as
 * the person who is asked.
 */
export const commandReaches = ['sandbox', 'network', 'everything'] as const;

export type CommandReach = (typeof commandReaches)[number];

/**
 * The reason there is no sandbox: it is switched off, none works here, the workspace contains the home folder, or its
 * file system does not let changes be held back.
 */
export type NoSandbox = 'off' | 'missing' | 'home' | 'folder';

/** The terms on which a command would run, for a person to judge. */
export interface CommandTerms {
  /** The reach asked for. A person can allow another one if there is a sandbox. */
  readonly reach: CommandReach;
  readonly withoutSandbox?: NoSandbox | undefined;
  /** The reason for the network, in the model's words. */
  readonly networkReason?: string | undefined;
}

/**
 * True if a rule allows a command to reach as far as is asked.
 *
 * @param allowed undefined for a rule that was made without a sandbox: inside one it allows the least
 * @param terms undefined if it is not a command
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
  /** True if no person has to be asked. */
  isAllowed(request: ApprovalRequest): boolean | Promise<boolean>;
  allow(rule: ApprovalRule, scope: 'session' | 'always'): void | Promise<void>;
}

interface Question {
  readonly request: ApprovalRequest;
  readonly answer: (decision: ApprovalDecision) => void;
}

/** Actions that wait for a person. */
export class PendingApprovals {
  private readonly policy: ApprovalPolicy;
  private readonly tell: (callKey: string, request: ApprovalRequest | undefined) => void;
  private readonly questions = new Map<string, Question>();

  /** @param tell called with every question, and when it is settled, without the request */
  constructor(policy: ApprovalPolicy, tell: (callKey: string, request: ApprovalRequest | undefined) => void) {
    this.policy = policy;
    this.tell = tell;
  }

  requestOf(callKey: string): ApprovalRequest | undefined {
    return this.questions.get(callKey)?.request;
  }

  /**
   * Asks a person, unless a rule allows it.
   *
   * @throws {CancelledError} if the signal was aborted before there was an answer
   */
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

  /**
   * Answers a question. What is allowed for longer than once also answers the other questions it covers.
   *
   * @returns whether there was such a question
   */
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

  /** The decision of the rules: the furthest reach they allow, so that a command allowed with the network always has it. */
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
