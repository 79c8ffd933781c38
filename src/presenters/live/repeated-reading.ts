import { setTimeout as timer } from 'node:timers/promises';
import { messageOf } from '../../compaction/records/reason.ts';

export interface RepeatedReadingPorts {
  /** Told what could not be read: once, until it can be read again or fails in another way. */
  readonly failed: (error: unknown) => void;
  /** Waits for some milliseconds. */
  readonly pause?: Pause | undefined;
}

/** @throws {Error} named AbortError if the signal was aborted */
type Pause = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

const pauseByTimer: Pause = (milliseconds, signal) => timer(milliseconds, undefined, { signal });

/** Milliseconds without a change after which a file is taken for written. Longer than between looks of `watchPath`. */
const restingTime = 1_000;

/**
 * Reads again, whenever they change, files that other programs write. A reading can fail because it came between two
 * writes: it is repeated after the next change, or once the files have rested, and told only if it fails then, too.
 */
export class RepeatedReading {
  private readonly readOnce: () => Promise<void>;
  private readonly ports: RepeatedReadingPorts;
  private readonly signal: AbortSignal;
  private readonly quietTime: number;
  private isStale = false;
  private reading: Promise<void> | undefined;
  private told: string | undefined;

  /**
   * @param quietTime milliseconds from a change until it is read
   * @param signal ends it
   */
  constructor(
    readOnce: () => Promise<void>,
    ports: RepeatedReadingPorts,
    signal: AbortSignal,
    quietTime = 0,
  ) {
    this.readOnce = readOnce;
    this.ports = ports;
    this.signal = signal;
    this.quietTime = quietTime;
  }

  /** Reads after a change. Resolves when all that there is now was read, or told to be unreadable. */
  look(): Promise<void> {
    this.isStale = true;
    this.reading ??= this.readWhileStale();
    return this.reading;
  }

  private async readWhileStale(): Promise<void> {
    const { pause = pauseByTimer } = this.ports;
    let hasFailed = false;
    while (this.isStale && !this.signal.aborted) {
      try {
        if (this.quietTime > 0) await pause(this.quietTime, this.signal);
        this.isStale = false;
        await this.readOnce();
        this.told = undefined;
        hasFailed = false;
      } catch (error) {
        if (hasFailed && !this.isStale) {
          this.tell(error);
          break;
        }
        await pause(restingTime, this.signal).catch(() => {});
        // What has changed meanwhile may be unreadable for the first time.
        hasFailed = !this.isStale;
        this.isStale = true;
      }
    }
    // In the same moment as the last look: what changes after it begins again.
    this.reading = undefined;
  }

  private tell(error: unknown): void {
    const message = messageOf(error);
    if (message === this.told || this.signal.aborted) return;
    this.told = message;
    this.ports.failed(error);
  }
}
