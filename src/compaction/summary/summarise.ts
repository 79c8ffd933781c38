import { orCancelled, CancelledError, type CancellationSignal } from '../cancellation.ts';
import { CompactionFailure, messageOf } from '../failure.ts';
import type { Message } from '../message.ts';
import type { SummaryReport } from '../record.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import type { SummaryModel, SummaryReply, SummaryRequest } from './model.ts';
import { parseSummary } from './parse.ts';
import { summaryInstructions, summaryPrompt } from './prompt.ts';
import { serialise } from './serialise.ts';
import { summaryText } from './summary-message.ts';

export interface SummaryTask {
  readonly sources: readonly Message[];
  readonly model: SummaryModel | undefined;
  readonly focus: string | undefined;
}

export interface Summary {
  /** Text of the message that takes the place of the sources. */
  readonly text: string;
  readonly report: SummaryReport;
  readonly warnings: readonly string[];
}

/** Most tokens a summary may take. */
const largestSummary = 20_000;
/** Tokens left unused between prompt, reply and window. */
const windowMargin = 1_024;
/** Assumed where the window of the summarising model is unknown: what the smallest hosted models offer today. */
const assumedWindow = 128_000;
/** Characters each text may keep, tried in turn until the conversation fits into the window. */
const shrinkingLimits = [Number.POSITIVE_INFINITY, 16_000, 8_000, 4_000, 2_000, 1_000, 400, 150];

/**
 * Has a model summarise messages.
 *
 * @throws {CompactionFailure} where there is no model, the model failed, or what it wrote cannot be used
 * @throws {CancelledError} where the signal was aborted
 */
export async function summarise(
  task: SummaryTask,
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<Summary> {
  const { model } = task;
  if (model === undefined) {
    throw new CompactionFailure('no-model', 'This strategy needs a model and there is none.');
  }
  const { request, promptTokens, warnings } = await composeRequest(task, model, meter);
  const reply = await ask(model, request, signal);
  const text = summaryText(parseSummary(reply));
  const outputTokens = reply.usage?.outputTokens ?? (await meter.countText(reply.content));
  if (outputTokens >= request.maxOutputTokens) {
    throw new CompactionFailure(
      'summary-cut-off',
      `The summary takes ${outputTokens} tokens and its limit is ${request.maxOutputTokens}.`,
    );
  }
  return {
    text,
    report: {
      model: model.id,
      promptTokens: reply.usage?.inputTokens ?? promptTokens,
      outputTokens,
      attempts: 1,
    },
    warnings,
  };
}

/** A conversation that does not fit is made to fit before it is sent: first long texts are clipped, then old messages left out. */
async function composeRequest(
  task: SummaryTask,
  model: SummaryModel,
  meter: UsageMeter,
): Promise<{ request: SummaryRequest; promptTokens: number; warnings: readonly string[] }> {
  const { sources, focus } = task;
  const window = model.window ?? assumedWindow;
  if (model.readsSources === true) {
    const maxOutputTokens = Math.max(1, Math.min(largestSummary, Math.floor(window / 4)));
    const request = { instructions: summaryInstructions, prompt: '', sources, focus, maxOutputTokens };
    return { request, promptTokens: 0, warnings: [] };
  }
  const room = Math.max(1, window - windowMargin - Math.min(largestSummary, Math.floor(window / 4)));
  const compose = async (prompt: string, warnings: readonly string[]) => {
    const promptTokens = (await meter.countText(summaryInstructions)) + (await meter.countText(prompt));
    const maxOutputTokens = Math.max(1, Math.min(largestSummary, window - promptTokens - windowMargin));
    const request = { instructions: summaryInstructions, prompt, sources, focus, maxOutputTokens };
    return { request, promptTokens, warnings };
  };

  for (const longest of shrinkingLimits) {
    const warnings = Number.isFinite(longest)
      ? [`Texts over ${longest} characters were clipped for the summariser.`]
      : [];
    const composed = await compose(summaryPrompt(serialise(sources, longest), focus), warnings);
    if (composed.promptTokens <= room) return composed;
  }
  const shortest = shrinkingLimits.at(-1) ?? 0;
  for (let left = Math.floor(sources.length / 2); left >= 1; left = Math.floor(left / 2)) {
    const newest = sources.slice(-left);
    const missing = sources.length - left;
    const note = `[${missing} earlier messages left out]\n`;
    const composed = await compose(summaryPrompt(note + serialise(newest, shortest), focus), [
      `The oldest ${missing} messages did not fit into the summariser's window and were left out.`,
    ]);
    if (composed.promptTokens <= room) return composed;
  }
  throw new CompactionFailure(
    'model-failed',
    `The window of ${model.id} (${window} tokens) is too small to summarise anything.`,
  );
}

async function ask(
  model: SummaryModel,
  request: SummaryRequest,
  signal: CancellationSignal,
): Promise<SummaryReply> {
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
