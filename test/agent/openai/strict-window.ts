import { toMessage, type ChatMessage, type ReportedUsage } from '../../../src/compaction/messages/message.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { createMeter } from '../../support/engine.ts';
import { strayReasoning } from './input-messages.ts';
import type { RecordedRequest, StatusReply, StreamReply } from './scripted-reply.ts';
import type { ServerDialect } from './server-dialect.ts';

/** Reason the server itself refused a request, as opposed to the script. */
export interface Refusal {
  readonly reason: 'shape' | 'overflow' | 'objection';
  readonly request: RecordedRequest;
  readonly reply: StatusReply;
}

/** Counts requests like the extension, each message once. */
export class RequestCounter {
  private readonly known = new Map<string, Promise<number>>();
  private readonly meter = createMeter();

  /** Tokens of messages and tool schemas. */
  async count(messages: readonly ChatMessage[], tools: RecordedRequest['body']['tools']): Promise<number> {
    const counts = await Promise.all([
      ...messages.map((message) => this.once(JSON.stringify(message), () => this.measure(message))),
      this.once(JSON.stringify(tools ?? []), async () => {
        const { total } = await (await this.meter).measureTools(tools ?? []);
        return total;
      }),
    ]);
    return counts.reduce((total, count) => total + count, 0);
  }

  /** Tokens of a reply for which the script gives no usage. */
  async usageOf(reply: StreamReply, inputTokens: number): Promise<ReportedUsage> {
    const { text = '', toolCalls = [] } = reply;
    const said = `${typeof text === 'string' ? text : ''}${JSON.stringify(toolCalls)}`;
    return { inputTokens, outputTokens: await (await this.meter).countText(said) };
  }

  private once(key: string, count: () => Promise<number>): Promise<number> {
    const known = this.known.get(key) ?? count();
    this.known.set(key, known);
    return known;
  }

  private async measure(message: ChatMessage): Promise<number> {
    const { total } = await (
      await this.meter
    ).measure([toMessage(message, { id: '', origin: 'person', createdAt: '' })]);
    return total;
  }
}

/** A strict server's objection to a request; undefined if it accepts it. */
export function findRefusal(
  request: RecordedRequest,
  tokens: number,
  window: number,
  dialect: ServerDialect,
): Refusal | undefined {
  const problem =
    strayReasoning(request.body.input ?? []) ?? findViolations(request.messages)[0]?.sentence.english;
  if (problem !== undefined) return { reason: 'shape', request, reply: dialect.rejection(problem) };
  return tokens > window
    ? { reason: 'overflow', request, reply: dialect.overflow(tokens, window) }
    : undefined;
}
