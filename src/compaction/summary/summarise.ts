import { engineSentences } from '../../language/english/engine-english.ts';
import type { CarriedText } from '../messages/ledger.ts';
import { isSystem, type Message } from '../messages/message.ts';
import { dropReasons, type QuoteCounts } from '../messages/quote.ts';
import type { PlannedSummary } from '../records/plan.ts';
import { CompactionFailure } from '../records/reason.ts';
import type { Phrase, SummaryReport } from '../records/record.ts';
import type { CancellationSignal } from '../signals/cancellation.ts';
import { framingTokens, type UsageMeter } from '../tokens/usage.ts';
import { summaryText } from './summary-form.ts';
import type { SummaryTask } from './write-summary.ts';

/** True if messages hold something to summarise. */
export function hasNews(messages: readonly Message[]): boolean {
  return messages.some(isNews);
}

/**
 * True if a message is something to summarise. An earlier summary alone needs no new one, nor do the files that came
 * back with it. Memory that may leave is out of date, and a system message that may leave is a copy.
 */
export function isNews(message: Message): boolean {
  const { kind } = message;
  return kind !== 'summary' && kind !== 'memory' && kind !== 'file' && !isSystem(message);
}

/** The message that takes the place of the sources. */
export interface Summary extends CarriedText {
  readonly report: SummaryReport;
  readonly warnings: readonly Phrase[];
}

/**
 * Has a model summarise messages: asks, checks what came back, and adds what the program knows and the model left out.
 *
 * @throws {CompactionFailure} if there is no model, the model failed, or what it wrote cannot be used
 * @throws {CancelledError} if the signal was aborted
 */
export async function summarise(
  task: SummaryTask,
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<Summary> {
  // Imported on first use to keep activation fast.
  const { writeSummary } = await import('./write-summary.ts');
  const { summaryAround } = await import('./summary-body.ts');
  const { body: notes, quotes, report, warnings } = await writeSummary(task, meter, signal);
  const { text, carried } = await summaryAround({ ...task, notes, quotes }, meter);
  if (text === '') throw new CompactionFailure('summary-empty', engineSentences.say('summaryIsEmpty'));
  return { text: summaryText(text, task.mark), carried, report, warnings };
}

/** Messages that become one summary. */
export interface SummaryGroup {
  /** Messages that the model reads. */
  readonly sources: readonly Message[];
  /** Messages that the summary replaces. */
  readonly leaving: readonly Message[];
  /** The reason, for the record. */
  readonly reason: Phrase;
}

interface GroupSummaries {
  readonly actions: readonly PlannedSummary[];
  readonly report: SummaryReport | undefined;
  readonly warnings: readonly Phrase[];
}

/**
 * Has a model summarise each group, one after the other. One request that fails fails them all; a group that is
 * smaller than its summary stays as it is.
 *
 * @throws {CompactionFailure} if there is no model, it failed, what it wrote cannot be used, or no summary is
 * smaller than its group
 * @throws {CancelledError} if the signal was aborted
 */
export async function summariseEach(
  groups: readonly SummaryGroup[],
  task: Omit<SummaryTask, 'sources'>,
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<GroupSummaries> {
  const actions: PlannedSummary[] = [];
  const reports: SummaryReport[] = [];
  const warnings: Phrase[] = [];
  let larger = 0;
  for (const { sources, leaving, reason } of groups) {
    const summary = await orTooSmall(summarise({ ...task, sources }, meter, signal));
    if (summary === undefined) {
      larger++;
      continue;
    }
    reports.push(summary.report);
    warnings.push(...summary.warnings);
    const tokens = framingTokens + (await meter.countText(summary.text));
    if (tokens >= (await meter.measure(leaving)).total) larger++;
    else {
      const { text, carried } = summary;
      actions.push({ kind: 'summarise', ids: leaving.map(({ id }) => id), text, carried, reason });
    }
  }
  if (actions.length === 0) {
    throw new CompactionFailure('summary-inflated', engineSentences.say('noSmallerSummary'));
  }
  if (larger > 0) warnings.push(engineSentences.say('partsStayed', { count: larger }));
  return { actions, report: addReports(reports), warnings };
}

/** Undefined if the sources are so small that no model was asked. */
async function orTooSmall(summary: Promise<Summary>): Promise<Summary | undefined> {
  try {
    return await summary;
  } catch (error) {
    if (error instanceof CompactionFailure && error.code === 'summary-inflated') return undefined;
    throw error;
  }
}

/**
 * The sum of several requests for one compaction; models other than the first have reports of their
 * own. Undefined if there was none.
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
    ...addQuotes(sum.quotes, report.quotes),
  };
}

function addQuotes(
  sum: QuoteCounts | undefined,
  counts: QuoteCounts | undefined,
): Pick<SummaryReport, 'quotes'> {
  if (sum === undefined || counts === undefined) return (sum ?? counts) ? { quotes: (sum ?? counts)! } : {};
  const dropped = dropReasons.flatMap((reason) => {
    const count = (sum.dropped[reason] ?? 0) + (counts.dropped[reason] ?? 0);
    return count === 0 ? [] : [[reason, count] as const];
  });
  return { quotes: { kept: sum.kept + counts.kept, dropped: Object.fromEntries(dropped) } };
}

/** The focus of a summary: that of the option, for every summary, and the one asked for this time. */
export function focusOf(input: {
  readonly options: { readonly focus: string };
  readonly focus: string | undefined;
}): string | undefined {
  return [input.options.focus, input.focus].filter((focus) => focus).join('\n') || undefined;
}
