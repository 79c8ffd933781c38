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

export function hasNews(messages: readonly Message[]): boolean {
  return messages.some(isNews);
}

/** True if a message has to be summarised. Excludes earlier summaries, restored files, memory and system messages. */
export function isNews(message: Message): boolean {
  const { kind } = message;
  return kind !== 'summary' && kind !== 'memory' && kind !== 'file' && !isSystem(message);
}

export interface Summary extends CarriedText {
  readonly report: SummaryReport;
  readonly warnings: readonly Phrase[];
}

/** Has a model summarise messages, and adds facts that it omitted. @throws {CompactionFailure} {CancelledError} */
export async function summarise(
  task: SummaryTask,
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<Summary> {
  const { writeSummary } = await import('./write-summary.ts');
  const { summaryAround } = await import('./summary-body.ts');
  const { body: notes, quotes, report, warnings } = await writeSummary(task, meter, signal);
  const { text, carried } = await summaryAround({ ...task, notes, quotes }, meter);
  if (text === '') throw new CompactionFailure('summary-inflated', engineSentences.say('noSmallerSummary'));
  return { text: summaryText(text, task.tagSuffix), carried, report, warnings };
}

export interface SummaryGroup {
  readonly sources: readonly Message[];
  readonly leaving: readonly Message[];
  readonly reason: Phrase;
}

/** Has a model summarise each group that becomes smaller. @throws {CompactionFailure} {CancelledError} */
export async function summariseEach(
  groups: readonly SummaryGroup[],
  task: Omit<SummaryTask, 'sources'>,
  meter: UsageMeter,
  signal: CancellationSignal,
) {
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

/** Returns undefined if the sources are too small to be summarised. */
async function orTooSmall(summary: Promise<Summary>): Promise<Summary | undefined> {
  try {
    return await summary;
  } catch (error) {
    if (error instanceof CompactionFailure && error.code === 'summary-inflated') return undefined;
    throw error;
  }
}

/** Adds up reports on requests of one compaction; further models get separate reports. Undefined without reports. */
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

/** Joins the focus in the options, which applies to every summary, and the focus of this compaction. */
export function focusOf(input: {
  readonly options: { readonly focus: string };
  readonly focus: string | undefined;
}): string | undefined {
  return [input.options.focus, input.focus].filter((focus) => focus).join('\n') || undefined;
}
