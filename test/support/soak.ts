/**
 * One of two choices, by the allowed length of a run: for example a few generated cases in each test run, and
 * many in `npm run soak`.
 *
 * @param short for a test run
 * @param long for a soak
 */
export function soak<Choice>(short: Choice, long: Choice): Choice {
  return process.env['CONTEXT_BUDGET_SOAK'] === '1' ? long : short;
}
