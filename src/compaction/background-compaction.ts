import type { CancellationSignal } from './cancellation.ts';
import type { CompactionRecord, Reason } from './record.ts';
import type { StartedCompaction } from './start-compaction.ts';
import { Stopper } from './stopper.ts';

interface Running {
  readonly started: StartedCompaction;
  readonly stopper: Stopper;
  isDone: boolean;
  unfollow: () => void;
}

const stopped: Reason = { code: 'cancelled', message: 'Stopped before it was done.' };

/** The one compaction that runs beside the model calls, until somebody takes what became of it. */
export class BackgroundCompaction {
  private readonly discarded: (started: StartedCompaction, reason: Reason) => void;
  private running: Running | undefined;

  /** @param discarded hears which one was thrown away, and why */
  constructor(discarded: (started: StartedCompaction, reason: Reason) => void) {
    this.discarded = discarded;
  }

  /** The one that runs, or that has ended and was not taken yet. */
  get current(): StartedCompaction | undefined {
    return this.running?.started;
  }

  /** Whether it has ended, so that taking it waits for nothing. */
  get isDone(): boolean {
    return this.running?.isDone === true;
  }

  /** Starts one; none is running. */
  start(begin: (signal: CancellationSignal) => StartedCompaction): StartedCompaction {
    const stopper = new Stopper();
    const started = begin(stopper);
    const running: Running = { started, stopper, isDone: false, unfollow: () => {} };
    this.running = running;
    const settled = () => {
      running.isDone = true;
      if (stopper.aborted && this.running === running) this.drop(started, stopped);
    };
    started.records.then(settled, settled);
    return started;
  }

  /** Lets a signal stop it, instead of the one that could until now. */
  follow(signal: CancellationSignal): void {
    const { running } = this;
    if (running === undefined || running.isDone) return;
    running.unfollow();
    running.unfollow = running.stopper.follow(signal);
  }

  /**
   * Waits for the end of it and leaves what became of it to the caller.
   *
   * @returns nothing where it was stopped
   * @throws whatever planning it threw
   */
  async take(): Promise<readonly CompactionRecord[] | undefined> {
    const { running } = this;
    if (running === undefined) return undefined;
    try {
      const records = await running.started.records;
      return this.running === running ? records : undefined;
    } finally {
      if (this.running === running) this.forget();
    }
  }

  /** Stops it and throws it away. Resolves when it has ended. */
  async discard(reason: Reason = stopped): Promise<void> {
    const { running } = this;
    if (running === undefined) return;
    this.drop(running.started, reason);
    running.stopper.abort();
    await running.started.records.catch(() => {});
  }

  private drop(started: StartedCompaction, reason: Reason): void {
    this.forget();
    this.discarded(started, reason);
  }

  private forget(): void {
    this.running?.unfollow();
    this.running = undefined;
  }
}
