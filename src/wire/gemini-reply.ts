import type { ReportedUsage } from '../compaction/messages/message.ts';
import { isRecord } from '../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { replyOfParts } from './gemini-parts.ts';
import { errorIn } from './openai-error.ts';
import type { ReplyReader, WireReply } from './wire.ts';

/** Reads the pieces of a reply of Gemini, or a whole reply. Code Assist wraps each in a field `response`. */
export class GeminiReplyReader implements ReplyReader {
  private readonly parts: Fields[] = [];
  private readonly counts = new Map<string, number>();
  private model: string | undefined;
  private isComplete = false;
  private error: string | undefined;

  take(data: unknown): void {
    const wrapped = fieldsOf(data)['response'];
    const piece = isRecord(wrapped) ? wrapped : fieldsOf(data);
    const [candidate = {}] = recordsIn(piece['candidates']);
    for (const part of recordsIn(fieldsOf(candidate['content'])['parts'])) this.parts.push(part);
    if (typeof candidate['finishReason'] === 'string') this.isComplete = true;
    if (typeof piece['modelVersion'] === 'string') this.model = piece['modelVersion'];
    for (const [name, count] of Object.entries(fieldsOf(piece['usageMetadata']))) {
      if (typeof count === 'number' && count >= 0) this.counts.set(name, count);
    }
    const { blockReason, blockReasonMessage } = fieldsOf(piece['promptFeedback']);
    const refusal = wordIn(blockReasonMessage) || wordIn(blockReason);
    if (isRecord(piece['error'])) this.error = errorIn(piece['error']);
    else if (refusal !== '') this.error = errorIn({ message: refusal });
  }

  get reply(): WireReply | undefined {
    const { isComplete, model, error, usage } = this;
    if (this.parts.length === 0 && usage === undefined && error === undefined) return undefined;
    return {
      // The conversation numbers calls without ids.
      chat: replyOfParts(this.parts, ({ id }) => wordIn(id)),
      isComplete,
      ...(usage !== undefined && { usage }),
      ...(model !== undefined && { model }),
      ...(error !== undefined && { error }),
    };
  }

  private get usage(): ReportedUsage | undefined {
    const counted = (name: string) => this.counts.get(name) ?? 0;
    if (!this.counts.has('promptTokenCount')) return undefined;
    const cached = this.counts.get('cachedContentTokenCount');
    return {
      inputTokens: counted('promptTokenCount') + counted('toolUsePromptTokenCount'),
      outputTokens: counted('candidatesTokenCount') + counted('thoughtsTokenCount'),
      ...(cached !== undefined && { cachedInputTokens: cached }),
    };
  }
}
