import type { Trigger } from '../records/record.ts';
import type { Budget } from '../budget/budget.ts';
import { growthStep } from '../budget/trigger.ts';

/**
 * Asks the user whether to compact. After an answer, the user is asked again only when the view has grown by a step.
 */
export class AskGate {
  private readonly tell: (trigger: Trigger | undefined) => void;
  private pending: Trigger | undefined;
  private quietBelow = 0;

  /** @param tell called with every new question, and with undefined when a question is withdrawn */
  constructor(tell: (trigger: Trigger | undefined) => void) {
    this.tell = tell;
  }

  get trigger(): Trigger | undefined {
    return this.pending;
  }

  /** Size below which the user is not asked again, in tokens; 0 before the first answer. */
  get restsBelow(): number {
    return this.quietBelow;
  }

  /** Asks the user, except shortly after an answer. Without a trigger, withdraws the question. */
  update(trigger: Trigger | undefined): void {
    const before = this.pending?.source;
    this.pending = trigger !== undefined && trigger.tokens >= this.quietBelow ? trigger : undefined;
    if (this.pending?.source !== before) this.tell(this.pending);
  }

  answer(budget: Budget): void {
    if (this.pending === undefined) return;
    this.quietBelow = this.pending.tokens + growthStep(budget);
    this.pending = undefined;
    this.tell(undefined);
  }

  /** Withdraws the question after the view was compacted. The next question is not delayed. */
  reset(): void {
    this.quietBelow = 0;
    this.update(undefined);
  }
}
