/**
 * How often to try something that is generated: a little in each run of the tests, a lot in `npm run soak`.
 *
 * @param short attempts of a test run
 * @param long attempts of a soak
 */
export function soak(short: number, long: number): number {
  return process.env['CONTEXT_BUDGET_SOAK'] === '1' ? long : short;
}
