import { engineSentences } from '../../language/engine-english.ts';
import type { CarriedText, Ledger } from '../messages/ledger.ts';
import type { Message } from '../messages/message.ts';
import type { Mark } from '../quoting/mark.ts';
import type { PlannedSummary } from '../records/plan.ts';
import { CompactionFailure, phraseOf } from '../records/reason.ts';
import type { Phrase, SummaryReport } from '../records/record.ts';
import {
  type CancellationSignal,
  CancelledError,
  orCancelled,
  throwIfCancelled,
} from '../signals/cancellation.ts';
import { framingTokens, type UsageMeter } from '../tokens/usage.ts';
import { notesForm, type SummaryForm, summaryText } from './summary-form.ts';
import type { ContinuedRequest, SummaryModel, SummaryReply, SummaryRequest } from './summary-model.ts';
import { parseSummary } from './summary-reply.ts';
import type { ComposedRequest } from './summary-request.ts';

export interface SummaryTask {
  readonly sources: readonly Message[];
  readonly model: SummaryModel | undefined;
  readonly focus: string | undefined;
  readonly mark: Mark;
  /** Notes under fixed headings where not given. */
  readonly form?: SummaryForm;
  /** What the chat would send now. With its own model, the summary is asked for as a continuation of that. */
  readonly continues?: ContinuedRequest | undefined;
  /** Facts that should not be lost. Those of the sources where not given. */
  readonly ledger?: Ledger;
  /** Ids of memory that is to be summarised, too. All other memory among the sources is left out: it is out of date. */
  readonly takesMemory?: ReadonlySet<string>;
  /** How often to ask when a reply cannot be used. Once where not given. */
  readonly attempts?: number;
}

/**
 * Whether there is anything in messages that a summary could be of. An earlier summary alone needs no new one, and memory
 * that may leave is out of date.
 */
export function hasNews(messages: readonly Message[]): boolean {
  return messages.some(({ kind }) => kind !== 'summary' && kind !== 'memory');
}

/** The message that takes the place of the sources. */
export interface Summary extends CarriedText {
  readonly report: SummaryReport;
  readonly warnings: readonly Phrase[];
}

/**
 * Has a model summarise messages: asks, checks what came back, and adds the facts of the ledger that it left out.
 *
 * @throws {CompactionFailure} where there is no model, the model failed, or what it wrote cannot be used
 * @throws {CancelledError} where the signal was aborted
 */
export async function summarise(
  task: SummaryTask,
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<Summary> {
  const { body, report, warnings } = await writeSummary(task, meter, signal);
  const { sources, ledger, mark } = task;
  // Only now, so that activation does not read it.
  const { withMissingFacts } = await import('./summary-body.ts');
  const repair = ledger === undefined ? { sources, mark } : { sources, mark, ledger };
  const repaired = await withMissingFacts({ body, ...repair }, meter);
  return {
    text: summaryText(repaired.text, mark),
    carried: { ledger: repaired.ledger },
    report,
    warnings,
  };
}

/** What a model wrote: the text between the tags of the form, cleaned of what could pass for a marker. */
export interface WrittenSummary {
  readonly body: string;
  readonly report: SummaryReport;
  readonly warnings: readonly Phrase[];
}

/** Like `summarise`, but only what the model wrote, for a strategy that makes its own message of it. */
export async function writeSummary(
  task: SummaryTask,
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<WrittenSummary> {
  const { model, attempts = 1, takesMemory } = task;
  if (model === undefined) {
    throw new CompactionFailure('no-model', engineSentences.say('needsModel'));
  }
  const form = task.form ?? notesForm;
  const sources = task.sources.filter(({ id, kind }) => kind !== 'memory' || takesMemory?.has(id) === true);
  await assertRoom(sources, task.mark, meter);
  const prompt = { sources, focus: task.focus, form, mark: task.mark };
  // Only now, so that activation does not read it.
  const { cleanBody } = await import('./summary-body.ts');
  const { composeContinuation, composeRequest } = await import('./summary-request.ts');
  const spent = { promptTokens: 0, outputTokens: 0, attempts: 0 };

  const attempt = async ({ request, promptTokens, warnings }: ComposedRequest): Promise<WrittenSummary> => {
    spent.attempts++;
    const reply = await askModel(model, request, signal);
    const outputTokens = reply.usage?.outputTokens ?? (await meter.countText(reply.content));
    spent.promptTokens += reply.usage?.inputTokens ?? promptTokens;
    spent.outputTokens += outputTokens;
    // Behind a chat's own request a model may well go on chatting: there, only a tagged answer is one.
    const needsTag = form.needsTag || request.continues !== undefined;
    const written = parseSummary(reply, { ...form, needsTag });
    // JSON is cleaned where it is written out.
    const body = form.isJson === true ? written : cleanBody(written, task.mark);
    if (outputTokens >= request.maxOutputTokens) {
      throw new CompactionFailure(
        'summary-cut-off',
        engineSentences.say('summaryAtItsLimit', { tokens: outputTokens, limit: request.maxOutputTokens }),
      );
    }
    const isContinued = request.continues !== undefined;
    const report = { model: model.id, ...spent, ...(isContinued ? { isContinued } : {}) };
    return { body, report, warnings };
  };

  const continuation =
    task.continues === undefined || model.continuesRequests !== true
      ? undefined
      : await composeContinuation(prompt, task.continues, model, meter);
  if (continuation !== undefined) {
    try {
      return await attempt(continuation);
    } catch (error) {
      if (!(error instanceof CompactionFailure)) throw error;
    }
  }
  const composed = await composeRequest(prompt, model, meter);
  for (let left = attempts; ; left--) {
    try {
      return await attempt(composed);
    } catch (error) {
      if (!(error instanceof CompactionFailure) || left <= 1) throw error;
    }
  }
}

/** Tokens of the shortest notes that say anything. */
const shortestNotes = 4;

/** @throws {CompactionFailure} where any summary would be refused for its size: nobody should pay for asking */
async function assertRoom(sources: readonly Message[], mark: Mark, meter: UsageMeter): Promise<void> {
  const { total } = await meter.measure(sources);
  const least = (await meter.countText(summaryText('', mark))) + framingTokens + shortestNotes;
  if (total > least) return;
  throw new CompactionFailure('summary-inflated', engineSentences.say('noSmallerSummary'));
}

/**
 * One request to a model.
 *
 * @throws {CompactionFailure} `model-failed`
 * @throws {CancelledError} where the signal was aborted
 */
export async function askModel(
  model: SummaryModel,
  request: SummaryRequest,
  signal: CancellationSignal,
): Promise<SummaryReply> {
  throwIfCancelled(signal);
  try {
    return await orCancelled(model.summarise(request, signal), signal);
  } catch (error) {
    if (signal.aborted || error instanceof CancelledError) throw new CancelledError();
    if (error instanceof CompactionFailure) throw error;
    throw new CompactionFailure(
      'model-failed',
      engineSentences.say('summariserFailed', { error: phraseOf(error) }),
      {
        cause: error,
      },
    );
  }
}

/** Messages that become one summary. */
export interface SummaryGroup {
  /** What the model reads. */
  readonly sources: readonly Message[];
  /** What the summary takes the place of. */
  readonly leaving: readonly Message[];
  /** Why, for the record. */
  readonly reason: Phrase;
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

/** Undefined where the sources are so small that no model was asked. */
async function orTooSmall(summary: Promise<Summary>): Promise<Summary | undefined> {
  try {
    return await summary;
  } catch (error) {
    if (error instanceof CompactionFailure && error.code === 'summary-inflated') return undefined;
    throw error;
  }
}

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

/** What a summary should pay attention to: what the option says for every one, and what was asked for this one. */
export function focusOf(input: {
  readonly options: { readonly focus: string };
  readonly focus: string | undefined;
}): string | undefined {
  return [input.options.focus, input.focus].filter((focus) => focus).join('\n') || undefined;
}
