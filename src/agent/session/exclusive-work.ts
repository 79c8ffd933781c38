type Work<T> = (signal: AbortSignal) => Promise<T>;

/** Runs one piece of work at a time. Other work can run during its pauses. */
export class ExclusiveWork {
  private readonly ended: (wasStopped: boolean) => void;
  private stopper: AbortController | undefined;
  private waiting: Work<void>[] = [];

  constructor(ended: (wasStopped: boolean) => void) {
    this.ended = ended;
  }

  get isBusy(): boolean {
    return this.stopper !== undefined;
  }

  stop(): void {
    this.stopper?.abort();
  }

  /** Runs work. The caller has checked that no other work is running. */
  async run<T>(work: Work<T>): Promise<T> {
    const stopper = new AbortController();
    this.stopper = stopper;
    try {
      return await work(stopper.signal);
    } finally {
      await this.end(stopper);
    }
  }

  /** Runs work now, or in the next pause of the running work. */
  atPause<T>(work: Work<T>): Promise<T> {
    if (!this.isBusy) return this.run(work);
    return new Promise<T>((resolve, reject) => {
      this.inPause((signal) => work(signal).then(resolve, reject));
    });
  }

  /** Runs work in the next pause. If this work fails, the running work fails with the same error. */
  inPause(work: Work<void>): void {
    this.waiting.push(work);
  }

  /** Pauses the running work. All waiting work runs, even if some of it fails. */
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
      // Work that is requested during the last pause runs before this work ends.
      while (this.waiting.length > 0) await this.pause(stopper.signal);
    } finally {
      this.stopper = undefined;
      this.ended(stopper.signal.aborted);
    }
  }
}

/** The signals that stop single calls while the rest of the turn continues. */
export class CallStops {
  private readonly stoppers = new Map<string, AbortController>();

  /** Runs an action with a signal that the turn or `stop` aborts. */
  async during<T>(callKey: string, turn: AbortSignal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stopper = new AbortController();
    this.stoppers.set(callKey, stopper);
    try {
      return await work(AbortSignal.any([turn, stopper.signal]));
    } finally {
      this.stoppers.delete(callKey);
    }
  }

  stop(callKey: string): boolean {
    const stopper = this.stoppers.get(callKey);
    stopper?.abort();
    return stopper !== undefined;
  }
}
