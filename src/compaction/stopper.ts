import type { CancellationSignal } from './cancellation.ts';

/** A signal that whoever made it can abort, and that follows others. */
export class Stopper implements CancellationSignal {
  private readonly listeners = new Set<() => void>();
  private isAborted = false;

  get aborted(): boolean {
    return this.isAborted;
  }

  abort(): void {
    if (this.isAborted) return;
    this.isAborted = true;
    for (const listener of this.listeners) listener();
    this.listeners.clear();
  }

  /**
   * Aborts with another signal.
   *
   * @returns a function that ends this
   */
  follow(signal: CancellationSignal): () => void {
    if (signal.aborted) this.abort();
    const abort = () => this.abort();
    signal.addEventListener('abort', abort, { once: true });
    return () => signal.removeEventListener('abort', abort);
  }

  /** There is one event only, and it happens once. */
  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.delete(listener);
  }
}
