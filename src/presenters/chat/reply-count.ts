import type { PartCounter } from '../../compaction/tokens/token-counter.ts';
import { framingTokens, type UsageMeter } from '../../compaction/tokens/usage.ts';

interface Reply {
  messageId: string | undefined;
  /** Counter of the reply; undefined while it is being loaded, or if the encoding cannot count parts. */
  counter: PartCounter | undefined;
  /** Text that arrived before the counter; undefined if no counter will be loaded. */
  waiting: string | undefined;
}

/** Counts the tokens of the streamed reply on this thread. Counts each part only once. */
export class ReplyCount {
  private readonly meterOf: () => UsageMeter;
  private reply: Reply | undefined;
  /** Id of the last ended reply. Later events about it are ignored, because its message already contains them. */
  private endedId: string | undefined;

  constructor(meterOf: () => UsageMeter) {
    this.meterOf = meterOf;
  }

  /** Tokens of the reply so far; 0 before it begins or while no counter is loaded. */
  get tokens(): number {
    const total = this.reply?.counter?.total() ?? 0;
    return total === 0 ? 0 : framingTokens + total;
  }

  /** Loads the counter for the next reply. */
  expect(): void {
    this.reply ??= this.begun();
  }

  add(messageId: string, part: string): void {
    if (messageId === this.endedId) return;
    if (this.reply?.messageId !== undefined && this.reply.messageId !== messageId) this.end();
    const reply = (this.reply ??= this.begun());
    reply.messageId = messageId;
    if (reply.waiting === undefined) return;
    reply.waiting += part;
    if (reply.counter === undefined) return;
    reply.counter.add(reply.waiting);
    reply.waiting = '';
  }

  /** Ends a reply when the transcript has its message. */
  said(messageId: string): void {
    this.endedId = messageId;
    if (this.reply?.messageId === messageId) this.reply = undefined;
  }

  /** Ends the current reply, even if it will not become a message. */
  end(): void {
    this.endedId = this.reply?.messageId ?? this.endedId;
    this.reply = undefined;
  }

  private begun(): Reply {
    const reply: Reply = { messageId: undefined, counter: undefined, waiting: '' };
    // If the counter cannot be loaded, only the finished message is counted.
    void this.meterOf()
      .running()
      .catch(() => undefined)
      .then((counter) => {
        reply.counter = counter;
        if (counter === undefined) reply.waiting = undefined;
      });
    return reply;
  }
}
