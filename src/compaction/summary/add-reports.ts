import type { SummaryReport } from '../record.ts';

/** What several requests for one compaction took together; the model is that of the first. Undefined where there was none. */
export function addReports([first, ...others]: readonly SummaryReport[]): SummaryReport | undefined {
  if (first === undefined) return undefined;
  return others.reduce(
    (sum, report) => ({
      ...sum,
      promptTokens: sum.promptTokens + report.promptTokens,
      outputTokens: sum.outputTokens + report.outputTokens,
      attempts: sum.attempts + report.attempts,
    }),
    first,
  );
}
