/** The part of an `AbortSignal` that the engine uses. Independent of platform globals. */
export interface CancellationSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Error for work that stopped because its signal was aborted. */
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

/** Calls `stop` on abort, or at once if already aborted. @returns a function that removes the listener */
export function whenCancelled(signal: CancellationSignal, stop: () => void): () => void {
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  return () => signal.removeEventListener('abort', stop);
}

/** Waits for a promise or the signal, whichever comes first. @throws {CancelledError} */
export async function orCancelled<T>(work: Promise<T>, signal: CancellationSignal): Promise<T> {
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

/** A signal that its creator can abort, and that can follow other signals. */
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

  /** Aborts together with another signal. @returns a function that stops following that signal */
  follow(signal: CancellationSignal): () => void {
    return whenCancelled(signal, () => this.abort());
  }

  /** Needs no type, because the only event is `abort`, and it happens once. */
  addEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.add(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    this.listeners.delete(listener);
  }
}
