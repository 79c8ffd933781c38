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
