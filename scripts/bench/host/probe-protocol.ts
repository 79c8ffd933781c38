/** A request of the benchmark. */
export type ProbeRequest =
  | { readonly type: 'command'; readonly command: string; readonly values: readonly unknown[] }
  /** Runs a command on a file. */
  | { readonly type: 'file-command'; readonly command: string; readonly path: string }
  | { readonly type: 'start' }
  /** Waits until the host is idle, and answers with a `Delays`. */
  | { readonly type: 'stop' }
  /** Answers with the `ActivationTimes` of an extension. */
  | { readonly type: 'activation'; readonly extension: string }
  | { readonly type: 'end' };

/** Times of an extension's activation as VS Code measures them, in milliseconds. */
export interface ActivationTimes {
  /** Loading and compiling its main module. */
  readonly loading: number;
  /** Its `activate`, until that returns. */
  readonly call: number;
  /** Time from then until the returned value was resolved. */
  readonly resolving: number;
}

/** Delays of the event loop in a phase, in milliseconds. */
export interface Delays {
  readonly max: number;
  /** Longest uninterrupted work of the thread. Other programs on the machine do not add to it. */
  readonly work: number;
  /** Longest garbage collection, which stops the thread. */
  readonly garbage: number;
}

/** Beginning of the line with the port. */
export const portLine = 'context-budget-probe ';
