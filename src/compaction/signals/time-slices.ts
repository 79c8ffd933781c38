/** Longest slice of work, in milliseconds. A third of a frame, to leave room for work outside slices. */
const sliceLength = 5;

/** Divides long work into slices, between which other work of the thread runs: `await slices.next()`. */
export class Slices {
  private readonly pause: () => Promise<void>;
  private startedAt = Date.now();

  constructor(pause: () => Promise<void>) {
    this.pause = pause;
  }

  get isOver(): boolean {
    const passed = Date.now() - this.startedAt;
    // Negative if the clock was set back, which also ends the slice.
    return passed >= sliceLength || passed < 0;
  }

  /** Ends the slice. Resolves when the next slice may begin. */
  async next(): Promise<void> {
    await this.pause();
    this.startedAt = Date.now();
  }
}
