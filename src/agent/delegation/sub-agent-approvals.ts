import type { ApprovalDecision, ApprovalRequest, PendingApprovals } from '../approvals/approval-request.ts';
import type { AgentEvent } from '../session-events.ts';

type Approve = PendingApprovals['ask'];

/** Asks one question at a time, because those of all sub-agents stand in the row of the one call that started them. */
export function oneAtATime(approve: Approve): Approve {
  let last: Promise<unknown> = Promise.resolve();
  return (request, callKey, signal) => {
    const answer = last.then(() => approve(request, callKey, signal));
    last = answer.catch(() => {});
    return answer;
  };
}

/** Has the questions of a sub-agent answered where its parent asks its own. */
export class SubAgentApprovals {
  private readonly name: string;
  private readonly ask: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalDecision>;
  private readonly stoppers = new Map<string, AbortController>();

  /** @param name of the sub-agent, which stands before what it wants to do */
  constructor(
    name: string,
    ask: (request: ApprovalRequest, signal: AbortSignal) => Promise<ApprovalDecision>,
  ) {
    this.name = name;
    this.ask = ask;
  }

  /** Hands a question on, or takes it back. */
  handle({ callKey, request }: Extract<AgentEvent, { type: 'approval' }>, approvals: PendingApprovals): void {
    this.stoppers.get(callKey)?.abort();
    this.stoppers.delete(callKey);
    if (request === undefined) return;
    const stopper = new AbortController();
    this.stoppers.set(callKey, stopper);
    const titled = { ...request, title: `${this.name}: ${request.title}` };
    void this.ask(titled, stopper.signal)
      // What the person allows for longer was noted where it was asked.
      .then((decision): ApprovalDecision => (decision.isAllowed ? { ...decision, scope: 'once' } : decision))
      .catch((): ApprovalDecision => ({ isAllowed: false, feedback: '' }))
      .then((decision) => approvals.decide(callKey, decision));
  }
}
