import { CancelledError, orCancelled, throwIfCancelled, type CancellationSignal } from '../cancellation.ts';
import type { CarriedText } from '../carried.ts';
import { CompactionFailure, messageOf } from '../failure.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Message } from '../message.ts';
import type { Mark } from '../quoting/mark.ts';
import type { Phrase, SummaryReport } from '../record.ts';
import { framingTokens, type UsageMeter } from '../tokens/usage.ts';
import { notesForm, type SummaryForm } from './form.ts';
import type { ContinuedRequest, SummaryModel, SummaryReply, SummaryRequest } from './model.ts';
import { parseSummary } from './parse.ts';
import type { ComposedRequest } from './request.ts';
import { summaryText } from './summary-message.ts';

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
  const { withMissingFacts } = await import('./missing-facts.ts');
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
    throw new CompactionFailure('no-model', 'This strategy needs a model and there is none.');
  }
  const form = task.form ?? notesForm;
  const sources = task.sources.filter(({ id, kind }) => kind !== 'memory' || takesMemory?.has(id) === true);
  await assertRoom(sources, task.mark, meter);
  const prompt = { sources, focus: task.focus, form, mark: task.mark };
  // Only now, so that activation does not read it.
  const { cleanBody } = await import('./clean-body.ts');
  const { composeContinuation, composeRequest } = await import('./request.ts');
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
        `The summary takes ${outputTokens} tokens and its limit is ${request.maxOutputTokens}.`,
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
  throw new CompactionFailure('summary-inflated', 'No summary is smaller than the messages it is of.');
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
    throw new CompactionFailure('model-failed', `The summarising model failed: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
