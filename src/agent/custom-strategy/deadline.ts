/** Most time that a custom strategy may take, in milliseconds, not counting what it waits for a model. */
export const defaultDeadline = 30_000;

/** A deadline that stands still while other work is waited for. */
export class Deadline {
  private readonly passed: () => void;
  private left: number;
  private holds = 0;
  private startedAt = 0;
  private timer: NodeJS.Timeout | undefined;

  /** @param passed called once, when so many milliseconds are over */
  constructor(milliseconds: number, passed: () => void) {
    this.passed = passed;
    this.left = milliseconds;
    this.run();
  }

  /** Waits for work whose time does not count. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    if (this.holds++ === 0) this.pause();
    try {
      return await work();
    } finally {
      if (--this.holds === 0) this.run();
    }
  }

  /** Ends it; it does not pass any more. */
  clear(): void {
    this.holds = Number.POSITIVE_INFINITY;
    clearTimeout(this.timer);
  }

  private run(): void {
    this.startedAt = performance.now();
    this.timer = setTimeout(this.passed, this.left);
  }

  private pause(): void {
    clearTimeout(this.timer);
    this.left = Math.max(0, this.left - (performance.now() - this.startedAt));
  }
}
