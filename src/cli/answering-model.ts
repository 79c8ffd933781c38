import { baseUrlAdvice, baseUrlProblem } from '../agent/network/base-url.ts';
import { OfflineModel } from '../agent/offline/offline-model.ts';
import type { SummaryModel, SummaryReply } from '../compaction/summary/summary-model.ts';
import { defaultTargetRatio, defaultTriggerRatio } from '../compaction/budget/budget.ts';
import { integerOf, UsageError, valued } from './command.ts';
import { isRecord } from '../language/is-record.ts';

/** Options that choose a command's model and window. */
export const modelOptions = {
  window: valued,
  'base-url': valued,
  model: valued,
} as const;

/** Window in tokens without `--window`. */
const defaultWindow = 128_000;

/** @throws {UsageError} unless the string is a whole number */
export function windowOf(text: string | undefined): number {
  return integerOf('window', text, 1) ?? defaultWindow;
}

/** The trigger and the target of a compaction, as shares of the window. */
export const shares = { triggerRatio: defaultTriggerRatio, targetRatio: defaultTargetRatio } as const;

export interface AnsweringModelChoice {
  /** Contents of the `--replies` file. */
  readonly replies?: unknown;
  readonly 'base-url'?: string | undefined;
  readonly model?: string | undefined;
}

/**
 * Chooses the model that writes summaries: prepared replies, an OpenAI-compatible endpoint (API key in
 * `OPENAI_API_KEY`), or the offline summariser.
 *
 * @returns a function that returns the model; a strategy can ask for another model by name
 * @throws {UsageError} if the options contradict each other
 */
export async function chooseAnsweringModel(
  choice: AnsweringModelChoice,
  window: number,
): Promise<(name?: string) => SummaryModel> {
  if (choice.replies !== undefined) {
    const replies = new PreparedReplies(choice.replies, window);
    return () => replies;
  }
  const { 'base-url': baseUrl, model } = choice;
  if (baseUrl === undefined) {
    if (model !== undefined) throw new UsageError('--model needs --base-url.');
    const offline = new OfflineModel({ window });
    return () => offline;
  }
  if (model === undefined) throw new UsageError('--base-url needs --model NAME.');
  const problem = baseUrlProblem(baseUrl);
  if (problem === 'no-url') throw new UsageError(`--base-url must be a URL, not "${baseUrl}".`);
  if (problem !== undefined) throw new UsageError(baseUrlAdvice[problem].english);
  const { OpenaiModel } = await import('../agent/openai/openai-model.ts');
  const apiKey = process.env['OPENAI_API_KEY'];
  return (name = model) => new OpenaiModel({ baseUrl, apiKey, model: name, window });
}

/** A summary model that returns prepared replies in order. */
class PreparedReplies implements SummaryModel {
  readonly id = 'replies';
  readonly window: number;
  private readonly replies: readonly unknown[];
  private next = 0;

  /**
   * @param replies an array of strings, `{ content, finish_reason }`, or `{ error, status }` for a call that fails
   * @throws {UsageError} if `replies` has another form
   */
  constructor(replies: unknown, window: number) {
    if (!Array.isArray(replies) || !replies.every(isReply)) {
      throw new UsageError(
        '--replies must name a file with a JSON array of strings, { content, finish_reason } or { error, status }.',
      );
    }
    this.replies = replies;
    this.window = window;
  }

  summarise(): Promise<SummaryReply> {
    if (this.next >= this.replies.length) {
      return Promise.reject(new Error(`all ${this.replies.length} prepared replies have been used`));
    }
    const reply = this.replies[this.next++];
    if (typeof reply === 'string') return Promise.resolve({ content: reply, finishReason: 'stop' });
    const { content, finish_reason, error, status } = reply as Readonly<Record<string, unknown>>;
    if (error !== undefined) {
      const text = typeof error === 'string' ? error : JSON.stringify(error);
      const prefix = typeof status === 'number' ? `${status} ` : '';
      return Promise.reject(new Error(`${prefix}${text}`));
    }
    return Promise.resolve({
      content: typeof content === 'string' ? content : '',
      finishReason: finish_reason === 'length' ? 'length' : 'stop',
    });
  }
}

function isReply(value: unknown): boolean {
  if (typeof value === 'string') return true;
  return isRecord(value) && ('content' in value || 'error' in value);
}
