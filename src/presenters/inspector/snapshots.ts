/** Source and destination of snapshots. */
interface SnapshotPorts<State> {
  /** Something that is another value once something else is to be shown. */
  readonly shown: () => unknown;
  /** The state of what is to be shown; takes a while, in which it can become something else. */
  readonly make: () => Promise<State>;
  readonly post: (state: State) => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Posts the state whenever it changed: one snapshot after the other, so that an older one never comes last; several
 * changes at once lead to one; and none of something that is no longer to be shown by the time it is made.
 */
export class Snapshots<State> {
  private readonly ports: SnapshotPorts<State>;
  private isStale = false;
  private running: Promise<void> | undefined;

  constructor(ports: SnapshotPorts<State>) {
    this.ports = ports;
  }

  /** The state changed. Resolves when it was posted, or could not be made. */
  refresh(): Promise<void> {
    this.isStale = true;
    this.running ??= this.postWhileStale();
    return this.running;
  }

  private async postWhileStale(): Promise<void> {
    while (this.isStale) {
      this.isStale = false;
      try {
        await this.postNext();
      } catch (error) {
        this.ports.failed(error);
      }
    }
    // In the same moment as the last look: what changes after it begins again.
    this.running = undefined;
  }

  private async postNext(): Promise<void> {
    const { shown, make, post } = this.ports;
    const wanted = shown();
    const state = await make();
    if (shown() === wanted) post(state);
    else this.isStale = true;
  }
}
