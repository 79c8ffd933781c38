import type { SummaryModel, SummaryReply } from '../compaction/summary/model.ts';
import { UsageError } from './command.ts';

/** A summarising model that gives prepared replies, in order. */
export class PreparedReplies implements SummaryModel {
  readonly id = 'replies';
  readonly window: number;
  private readonly replies: readonly unknown[];
  private next = 0;

  /**
   * @param replies each a text, `{ content, finish_reason }`, or `{ error, status }` for a call that fails
   * @throws {UsageError} where one of them is none of these
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
