import { baseUrlAdvice, baseUrlProblem } from '../agent/network/base-url.ts';
import { OfflineModel } from '../agent/offline/offline-model.ts';
import type { SummaryModel, SummaryReply } from '../compaction/summary/summary-model.ts';
import { UsageError } from './command.ts';

export interface ModelChoice {
  /** Contents of the file of prepared replies. */
  readonly replies: unknown;
  readonly baseUrl: string | undefined;
  readonly name: string | undefined;
}

/**
 * The model that summarises: prepared replies, an OpenAI-compatible endpoint (its key in `OPENAI_API_KEY`), or the
 * offline summariser.
 *
 * @returns a function from the name of a model, if a strategy asks for another one, to that model
 * @throws {UsageError} if the choices do not fit together
 */
export async function chooseModel(
  choice: ModelChoice,
  window: number,
): Promise<(name?: string) => SummaryModel> {
  if (choice.replies !== undefined) {
    const replies = new PreparedReplies(choice.replies, window);
    return () => replies;
  }
  const { baseUrl, name: model } = choice;
  if (baseUrl === undefined) {
    if (model !== undefined) throw new UsageError('--model needs --base-url.');
    const offline = new OfflineModel({ window });
    return () => offline;
  }
  if (model === undefined) throw new UsageError('--base-url needs --model NAME.');
  const problem = baseUrlProblem(baseUrl);
  if (problem === 'no-url') throw new UsageError(`--base-url must be a URL, not "${baseUrl}".`);
  if (problem !== undefined) throw new UsageError(baseUrlAdvice[problem]);
  const { OpenaiModel } = await import('../agent/openai/openai-model.ts');
  const apiKey = process.env['OPENAI_API_KEY'];
  return (name = model) => new OpenaiModel({ baseUrl, apiKey, model: name, window });
}

/** A summarising model that gives prepared replies, in order. */
export class PreparedReplies implements SummaryModel {
  readonly id = 'replies';
  readonly window: number;
  private readonly replies: readonly unknown[];
  private next = 0;

  /**
   * @param replies each a string, `{ content, finish_reason }`, or `{ error, status }` for a call that fails
   * @throws {UsageError} if one of them is none of these
   */
  constructor(replies: unknown, window: number) {
    if (!Array.isArray(replies) || !replies.every(isReply)) {
      throw new UsageError(
        '--replies must name a JSON array of texts, { content, finish_reason } or { error, status }.',
      );
    }
    this.replies = replies;
    this.window = window;
  }

  summarise(): Promise<SummaryReply> {
    if (this.next >= this.replies.length) {
      return Promise.reject(new Error(`all ${this.replies.length} prepared replies were used up`));
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
  return typeof value === 'object' && value !== null && ('content' in value || 'error' in value);
}
