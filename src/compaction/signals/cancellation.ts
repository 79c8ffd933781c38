/** The part of an `AbortSignal` that the engine uses, so that it depends on no platform's global. */
export interface CancellationSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Thrown when work stopped because its signal was aborted. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';

  constructor(message = 'Cancelled.') {
    super(message);
  }
}

/** @throws {CancelledError} if the signal was aborted */
export function throwIfCancelled(signal: CancellationSignal): void {
  if (signal.aborted) throw new CancelledError();
}

/**
 * Calls `stop` once the signal is aborted: now, if it was before.
 *
 * @returns a function after which it is not called any more
 */
export function whenCancelled(signal: CancellationSignal, stop: () => void): () => void {
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return () => signal.removeEventListener('abort', stop);
}

/** Waits for a promise, or for the signal, whichever comes first. @throws {CancelledError} */
export async function orCancelled<T>(work: Promise<T>, signal: CancellationSignal): Promise<T> {
  // Work that is no longer waited for may still fail; nothing else would handle it.
  work.catch(() => {});
  throwIfCancelled(signal);
  let stopListening = () => {};
  const cancelled = new Promise<never>((_resolve, reject) => {
    stopListening = whenCancelled(signal, () => reject(new CancelledError()));
  });
  try {
    return await Promise.race([work, cancelled]);
  } finally {
    stopListening();
  }
}

/** A signal that its creator can abort, and that follows others. */
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
    return whenCancelled(signal, () => this.abort());
  }

  /** There is one event only, and it happens once. */
  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.delete(listener);
  }
}
