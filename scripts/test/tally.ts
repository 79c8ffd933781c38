/** Numbers of passed, failed and skipped tests. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
  /** Number of skipped tests. They count neither as passed nor as failed. */
  readonly skipped: number;
  /** Names of the failed tests, or the error if no particular test failed. */
  readonly failures: readonly string[];
}

export const nothing: Tally = { passed: 0, failed: 0, skipped: 0, failures: [] };

export const onePassed: Tally = { ...nothing, passed: 1 };

export function oneFailed(what: string): Tally {
  return { ...nothing, failed: 1, failures: [what] };
}

export function add(first: Tally, second: Tally): Tally {
  return {
    passed: first.passed + second.passed,
    failed: first.failed + second.failed,
    skipped: first.skipped + second.skipped,
    failures: [...first.failures, ...second.failures],
  };
}
