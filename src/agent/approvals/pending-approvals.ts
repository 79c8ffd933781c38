import { CancelledError, throwIfCancelled } from '../../compaction/cancellation.ts';
import type { ApprovalDecision, ApprovalRequest, ApprovalRule } from './approval-request.ts';
import { commandReaches, isAtLeast, type CommandReach, type CommandTerms } from './command-reach.ts';

/** Port: what was allowed before. */
export interface ApprovalPolicy {
  /** True where nobody has to be asked. */
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

  /** @param tell hears of every question, and when it is settled, without the request */
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
      return await new Promise<ApprovalDecision>((resolve, reject) => {
        signal.addEventListener('abort', () => reject(new CancelledError()), { once: true });
        this.questions.set(callKey, { request, answer: resolve });
        this.tell(callKey, request);
      });
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

  /** What rules say: the furthest they let it get, so that what was allowed with the network always has it. */
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
