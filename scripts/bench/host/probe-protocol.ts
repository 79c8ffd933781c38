/** A request from the benchmark to the extension host. */
export type ProbeRequest =
  | { readonly type: 'command'; readonly command: string; readonly values: readonly unknown[] }
  /** Runs a command with a file as its argument. */
  | { readonly type: 'file-command'; readonly command: string; readonly path: string }
  | { readonly type: 'start' }
  /** Waits until the host is idle, and answers with `Delays`. */
  | { readonly type: 'stop' }
  /** Answers with the `ActivationTimes` of an extension. */
  | { readonly type: 'activation'; readonly extension: string }
  | { readonly type: 'end' };

/** Times of an extension's activation as measured by VS Code, in milliseconds. */
export interface ActivationTimes {
  /** Time for loading and compiling the extension's main module. */
  readonly loading: number;
  /** Time until the extension's `activate` returned. */
  readonly call: number;
  /** Time until the value that `activate` returned was resolved. */
  readonly resolving: number;
}

/** Delays of the event loop in a phase, in milliseconds. */
export interface Delays {
  readonly max: number;
  /** Processor time of the thread in the longest delay. Other programs on the machine do not lengthen it. */
  readonly processor: number;
  /** Longest uninterrupted work of the thread. Other programs on the machine do not lengthen it. */
  readonly work: number;
  /** Longest garbage collection, which stops the thread. */
  readonly garbage: number;
}

/** Beginning of the line that states the port. */
export const portLine = 'context-budget-probe ';
