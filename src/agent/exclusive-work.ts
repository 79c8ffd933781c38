type Work<T> = (signal: AbortSignal) => Promise<T>;

/** One piece of work at a time, which has pauses in which others get their turn. */
export class ExclusiveWork {
  private readonly ended: (wasStopped: boolean) => void;
  private stopper: AbortController | undefined;
  /** Waits for a pause. */
  private waiting: Work<void>[] = [];

  /** @param ended hears that nothing is running any more */
  constructor(ended: (wasStopped: boolean) => void) {
    this.ended = ended;
  }

  get isBusy(): boolean {
    return this.stopper !== undefined;
  }

  stop(): void {
    this.stopper?.abort();
  }

  /** Runs work. The caller has made sure that no other is running. */
  async run<T>(work: Work<T>): Promise<T> {
    const stopper = new AbortController();
    this.stopper = stopper;
    try {
      return await work(stopper.signal);
    } finally {
      // What was asked for during the last part has no later pause to wait for.
      await this.pause(stopper.signal);
      this.stopper = undefined;
      this.ended(stopper.signal.aborted);
    }
  }

  /** Runs work at once when nothing else is running, otherwise in the next pause of what is. */
  atPause<T>(work: Work<T>): Promise<T> {
    if (!this.isBusy) return this.run(work);
    return new Promise<T>((resolve, reject) => {
      this.inPause((signal) => work(signal).then(resolve, reject));
    });
  }

  /** Leaves work for the next pause. It has to deal with its own errors. */
  inPause(work: Work<void>): void {
    this.waiting.push(work);
  }

  /** A pause of the work that is running. */
  async pause(signal: AbortSignal): Promise<void> {
    for (let next = this.waiting.shift(); next !== undefined; next = this.waiting.shift()) await next(signal);
  }
}
