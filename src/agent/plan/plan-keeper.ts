import type { Message } from '../../compaction/message.ts';
import type { Transcript } from '../../compaction/transcript.ts';
import { finishedSteps, planIn, planMessage, type AgentPlan } from './plan.ts';

/** Holds a plan that the agent has set until it can be said: behind the results of the batch. */
export class PlanKeeper {
  private readonly journal: { readonly transcript: Transcript };
  private pending: AgentPlan | undefined;
  private finished = 0;

  /** @param journal where the plans before stand */
  constructor(journal: { readonly transcript: Transcript }) {
    this.journal = journal;
  }

  /** @returns how many steps were finished since the plan before */
  set(plan: AgentPlan): { readonly finishedSteps: number } {
    const before = this.pending ?? planIn(this.journal.transcript.view) ?? [];
    const finished = finishedSteps(before, plan);
    this.pending = plan;
    this.finished += finished;
    return { finishedSteps: finished };
  }

  /**
   * Says the plan that was set last, unless it stands there already.
   *
   * @returns whether a step was finished since it was said before
   */
  async say(
    append: (message: Omit<Message, 'id' | 'createdAt'>) => Promise<void>,
  ): Promise<{ readonly hasFinishedStep: boolean }> {
    const { pending, finished } = this;
    this.pending = undefined;
    this.finished = 0;
    if (pending === undefined) return { hasFinishedStep: false };
    const isSaid = JSON.stringify(planIn(this.journal.transcript.view)) === JSON.stringify(pending);
    if (!isSaid) await append(planMessage(pending));
    return { hasFinishedStep: finished > 0 };
  }
}
