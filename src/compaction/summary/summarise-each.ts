import type { CancellationSignal } from '../cancellation.ts';
import { CompactionFailure } from '../failure.ts';
import type { Message } from '../message.ts';
import type { PlannedSummary } from '../plan.ts';
import type { Phrase, SummaryReport } from '../record.ts';
import { framingTokens, type UsageMeter } from '../tokens/usage.ts';
import { addReports } from './add-reports.ts';
import { summarise, type Summary, type SummaryTask } from './summarise.ts';

/** Messages that become one summary. */
export interface SummaryGroup {
  /** What the model reads. */
  readonly sources: readonly Message[];
  /** What the summary takes the place of. */
  readonly leaving: readonly Message[];
  /** Why, for the record. */
  readonly reason: string;
}

export interface GroupSummaries {
  readonly actions: readonly PlannedSummary[];
  readonly report: SummaryReport | undefined;
  readonly warnings: readonly Phrase[];
}

/**
 * Has a model summarise each group, one after the other. One request that fails fails them all; a group that is
 * smaller than its summary stays as it is.
 *
 * @throws {CompactionFailure} where there is no model, it failed, what it wrote cannot be used, or no summary is
 * smaller than its group
 * @throws {CancelledError} where the signal was aborted
 */
export async function summariseEach(
  groups: readonly SummaryGroup[],
  task: Omit<SummaryTask, 'sources'>,
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<GroupSummaries> {
  const actions: PlannedSummary[] = [];
  const reports: SummaryReport[] = [];
  const warnings = new Set<Phrase>();
  let larger = 0;
  for (const { sources, leaving, reason } of groups) {
    const summary = await orTooSmall(summarise({ ...task, sources }, meter, signal));
    if (summary === undefined) {
      larger++;
      continue;
    }
    reports.push(summary.report);
    for (const warning of summary.warnings) warnings.add(warning);
    const tokens = framingTokens + (await meter.countText(summary.text));
    if (tokens >= (await meter.measure(leaving)).total) larger++;
    else {
      const { text, carried } = summary;
      actions.push({ kind: 'summarise', ids: leaving.map(({ id }) => id), text, carried, reason });
    }
  }
  if (actions.length === 0) {
    throw new CompactionFailure('summary-inflated', 'No summary is smaller than the messages it is of.');
  }
  if (larger > 0) warnings.add(`Parts smaller than their summary stayed as they were: ${larger}.`);
  return { actions, report: addReports(reports), warnings: [...warnings] };
}

/** Undefined where the sources are so small that no model was asked. */
async function orTooSmall(summary: Promise<Summary>): Promise<Summary | undefined> {
  try {
    return await summary;
  } catch (error) {
    if (error instanceof CompactionFailure && error.code === 'summary-inflated') return undefined;
    throw error;
  }
}
