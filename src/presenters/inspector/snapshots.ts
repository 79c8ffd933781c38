/** Makes snapshots and posts them. */
interface SnapshotPorts<State> {
  /** Returns a value that identifies the displayed session. */
  readonly shown: () => unknown;
  /** Makes the state to post. The displayed session may change in the meantime. */
  readonly make: () => Promise<State>;
  readonly post: (state: State) => void;
  readonly failed: (error: unknown) => void;
}

/** Posts the state after changes, one snapshot at a time. Posts again if another session is displayed by then. */
export class Snapshots<State> {
  private readonly ports: SnapshotPorts<State>;
  private isStale = false;
  private running: Promise<void> | undefined;

  constructor(ports: SnapshotPorts<State>) {
    this.ports = ports;
  }

  /** Requests a snapshot. Resolves once it has been posted or has failed. */
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
    // Reset in the same step as the last check, so that later changes start a new snapshot.
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
