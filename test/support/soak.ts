/**
 * Returns the first choice in a usual test run, and the second in a long run (`npm run soak`): for example, a few or
 * many generated cases.
 *
 * @param short choice for a test run
 * @param long choice for a soak
 */
export function soak<Choice>(short: Choice, long: Choice): Choice {
  return process.env['CONTEXT_BUDGET_SOAK'] === '1' ? long : short;
}
