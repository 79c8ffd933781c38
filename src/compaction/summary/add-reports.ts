import type { SummaryReport } from '../record.ts';

/**
 * What several requests for one compaction took together, what models other than the first took in reports of their
 * own. Undefined where there was none.
 */
export function addReports([first, ...others]: readonly SummaryReport[]): SummaryReport | undefined {
  if (first === undefined) return undefined;
  const byModel = new Map<string, SummaryReport>([[first.model, first]]);
  for (const report of others) {
    const sum = byModel.get(report.model);
    byModel.set(report.model, sum === undefined ? report : add(sum, report));
  }
  const [main = first, ...beside] = byModel.values();
  return beside.length === 0 ? main : { ...main, beside };
}

function add(sum: SummaryReport, report: SummaryReport): SummaryReport {
  return {
    ...sum,
    promptTokens: sum.promptTokens + report.promptTokens,
    outputTokens: sum.outputTokens + report.outputTokens,
    attempts: sum.attempts + report.attempts,
  };
}
