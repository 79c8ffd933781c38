import type { Trigger } from '../records/record.ts';
import type { Budget } from '../budget/budget.ts';
import { growthStep } from '../budget/trigger.ts';

/**
 * A compaction that a person is asked about. Once they have answered, they are not asked again until the view has
 * grown by a step.
 */
export class AskGate {
  private readonly tell: (trigger: Trigger | undefined) => void;
  private pending: Trigger | undefined;
  private quietBelow = 0;

  /** @param tell called with every new question, and with nothing when there is none any more */
  constructor(tell: (trigger: Trigger | undefined) => void) {
    this.tell = tell;
  }

  /** The trigger of the question; undefined if there is none to answer. */
  get trigger(): Trigger | undefined {
    return this.pending;
  }

  /** Below this size the question is not asked again, in tokens; 0 if nothing was answered. */
  get restsBelow(): number {
    return this.quietBelow;
  }

  /**
   * Asks, unless that was answered a moment ago.
   *
   * @param trigger undefined if nothing calls for a compaction any more: then the question is taken back
   */
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

  /** The view was compacted: there is nothing to ask, and the next question does not wait. */
  reset(): void {
    this.quietBelow = 0;
    this.update(undefined);
  }
}
