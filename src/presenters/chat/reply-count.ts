import type { PartCounter } from '../../compaction/tokens/token-counter.ts';
import { framingTokens, type UsageMeter } from '../../compaction/tokens/usage.ts';

/** A reply, or one that is expected. */
interface Reply {
  messageId: string | undefined;
  /** Undefined while it is loaded, or if there is none for the encoding. */
  counter: PartCounter | undefined;
  /** Parts that came before the counter; undefined if none will come. */
  waiting: string | undefined;
}

/** The tokens of the reply that is being streamed. Each part of it is counted once, on this thread. */
export class ReplyCount {
  private readonly meterOf: () => UsageMeter;
  private reply: Reply | undefined;
  /** The reply that ended last: what is told of it afterwards is in its message already. */
  private endedId: string | undefined;

  constructor(meterOf: () => UsageMeter) {
    this.meterOf = meterOf;
  }

  /** Of the message so far; 0 as long as nothing of it is streamed or can be counted. */
  get tokens(): number {
    const total = this.reply?.counter?.total() ?? 0;
    return total === 0 ? 0 : framingTokens + total;
  }

  /** Loads what will count the next reply. */
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

  /** Ends the reply whose message is in the transcript now. */
  said(messageId: string): void {
    this.endedId = messageId;
    if (this.reply?.messageId === messageId) this.reply = undefined;
  }

  /** Ends the present reply, whether or not there will be a message of it. */
  end(): void {
    this.endedId = this.reply?.messageId ?? this.endedId;
    this.reply = undefined;
  }

  private begun(): Reply {
    const reply: Reply = { messageId: undefined, counter: undefined, waiting: '' };
    // Without a counter, its message is counted at the end.
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
