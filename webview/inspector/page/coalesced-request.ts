/** Time after which no answer is expected any more, in milliseconds: the host may have failed. */
const patience = 10_000;

/**
 * Asks the host for something that changes all the time: never twice before it has answered, and once more when there
 * was a reason to while it was answering.
 */
export class CoalescedRequest {
  private readonly post: () => void;
  /** Time of the last request to the host; undefined if it has answered. */
  private asked: number | undefined;
  private isStale = false;

  constructor(post: () => void) {
    this.post = post;
  }

  ask(): void {
    this.isStale = this.asked !== undefined && performance.now() - this.asked < patience;
    if (this.isStale) return;
    this.asked = performance.now();
    this.post();
  }

  answered(): void {
    this.asked = undefined;
    if (this.isStale) this.ask();
  }

  /** Forgets the pending request; its answer is no longer needed. */
  forget(): void {
    this.asked = undefined;
    this.isStale = false;
  }
}
