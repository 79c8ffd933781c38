/** Most time that a custom strategy may take, in milliseconds, with what it waits for a model. */
export const defaultDeadline = 120_000;

/** @param deadline in milliseconds */
export function timeUp(deadline: number): string {
  return `it took longer than ${deadline / 1000} s.`;
}
