type Work<T> = (signal: AbortSignal) => Promise<T>;

/** One piece of work at a time, which has pauses in which others get their turn. */
export class ExclusiveWork {
  private readonly ended: (wasStopped: boolean) => void;
  private stopper: AbortController | undefined;
  /** Waits for a pause. */
  private waiting: Work<void>[] = [];

  /** @param ended called when nothing is running any more */
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
      await this.end(stopper);
    }
  }

  /** Runs work at once when nothing else is running, otherwise in the next pause of what is. */
  atPause<T>(work: Work<T>): Promise<T> {
    if (!this.isBusy) return this.run(work);
    return new Promise<T>((resolve, reject) => {
      this.inPause((signal) => work(signal).then(resolve, reject));
    });
  }

  /** Leaves work for the next pause. Its error is one of what is running then. */
  inPause(work: Work<void>): void {
    this.waiting.push(work);
  }

  /** A pause of the work that is running. What waits for it gets its turn although something before it fails. */
  async pause(signal: AbortSignal): Promise<void> {
    const next = this.waiting.shift();
    if (next === undefined) return;
    try {
      await next(signal);
    } finally {
      await this.pause(signal);
    }
  }

  private async end(stopper: AbortController): Promise<void> {
    try {
      // What is asked for from here on has no later pause to wait for, also while a pause is coming to its end.
      while (this.waiting.length > 0) await this.pause(stopper.signal);
    } finally {
      this.stopper = undefined;
      this.ended(stopper.signal.aborted);
    }
  }
}

/** Lets one call be stopped while the rest of its turn goes on. */
export class CallStops {
  private readonly stoppers = new Map<string, AbortController>();

  /** Runs an action under a signal that is aborted with the turn's, or by `stop`. */
  async during<T>(callKey: string, turn: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stopper = new AbortController();
    this.stoppers.set(callKey, stopper);
    try {
      return await work(AbortSignal.any([turn, stopper.signal]));
    } finally {
      this.stoppers.delete(callKey);
    }
  }

  /** @returns whether there was such a call */
  stop(callKey: string): boolean {
    const stopper = this.stoppers.get(callKey);
    stopper?.abort();
    return stopper !== undefined;
  }
}
