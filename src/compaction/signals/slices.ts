/** Longest slice of work, in milliseconds: a third of a frame, so that what belongs to no slice still fits beside it. */
const sliceLength = 5;

/**
 * Divides long work into slices, so that other work of the same thread has its turn in between:
 * `if (slices.isOver) await slices.next()` in every round of a loop.
 */
export class Slices {
  private readonly pause: () => Promise<void>;
  private startedAt = Date.now();

  /** @param pause lets the other work have its turn */
  constructor(pause: () => Promise<void>) {
    this.pause = pause;
  }

  /** True if the slice has taken its time. */
  get isOver(): boolean {
    const passed = Date.now() - this.startedAt;
    // Less than nothing if the clock was set back: no slice may last until it gets there again.
    return passed >= sliceLength || passed < 0;
  }

  /** Ends the slice. Resolves when the next one may begin. */
  async next(): Promise<void> {
    await this.pause();
    this.startedAt = Date.now();
  }
}
