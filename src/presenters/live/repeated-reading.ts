import { setTimeout as timer } from 'node:timers/promises';
import { messageOf } from '../../compaction/records/reason.ts';

export interface RepeatedReadingPorts {
  /** Reports a failed reading. Called again only after a reading succeeded or failed in another way. */
  readonly failed: (error: unknown) => void;
  /** Waits a number of milliseconds. */
  readonly pause?: Pause | undefined;
}

/** @throws {Error} named AbortError if the signal was aborted */
type Pause = (milliseconds: number, signal: AbortSignal) => Promise<unknown>;

const pauseByTimer: Pause = (milliseconds, signal) => timer(milliseconds, undefined, { signal });

/** Milliseconds after which an unchanged file counts as complete. Longer than the polling interval of `watchPath`. */
const restingTime = 1_000;

/** Reads files of other programs after each change. A failed reading is repeated once before it is reported. */
export class RepeatedReading {
  private readonly readOnce: () => Promise<void>;
  private readonly ports: RepeatedReadingPorts;
  private readonly signal: AbortSignal;
  private readonly quietTime: number;
  private isStale = false;
  private reading: Promise<void> | undefined;
  private told: string | undefined;

  /** @param quietTime milliseconds to wait after a change before reading @param signal stops the readings */
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

  /** Reads after a change. Resolves once all current content has been read or reported as unreadable. */
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
        // If the content has changed since the failure, the next failure counts as the first.
        hasFailed = !this.isStale;
        this.isStale = true;
      }
    }
    // Reset in the same step as the last check, so that later changes start a new reading.
    this.reading = undefined;
  }

  private tell(error: unknown): void {
    const message = messageOf(error);
    if (message === this.told || this.signal.aborted) return;
    this.told = message;
    this.ports.failed(error);
  }
}
