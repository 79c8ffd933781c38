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

/** The times that VS Code takes when it activates an extension, in milliseconds. */
export interface ActivationTimes {
  /** Loading and compiling its main module. */
  readonly loading: number;
  /** Its `activate`, until that returns. */
  readonly call: number;
  /** From then on until what it returned was resolved. */
  readonly resolving: number;
}

/** Delays of the event loop in a phase, in milliseconds. */
export interface Delays {
  readonly max: number;
  /** Longest time that the thread worked without a pause: other programs on the machine do not add to it. */
  readonly work: number;
  /** Longest collection of garbage, which stops the thread. */
  readonly garbage: number;
}

/** Beginning of the line that tells the port. */
export const portLine = 'context-budget-probe ';
