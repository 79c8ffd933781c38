/**
 * Number of runs for generated cases: a few in each test run, many in `npm run soak`.
 *
 * @param short attempts of a test run
 * @param long attempts of a soak
 */
export function soak(short: number, long: number): number {
  return process.env['CONTEXT_BUDGET_SOAK'] === '1' ? long : short;
}
