import type { QueuedText } from './session-ports.ts';

/** Messages that were typed while the agent worked, oldest first. */
export class MessageQueue {
  private readonly write: (texts: readonly string[]) => Promise<void>;
  private readonly tell: (queue: readonly QueuedText[]) => void;
  private waiting: readonly QueuedText[];
  private lastId = 0;

  /** @param start texts of an earlier run @param write makes the queue durable @param tell called after each change */
  constructor(
    start: readonly string[],
    write: (texts: readonly string[]) => Promise<void>,
    tell: (queue: readonly QueuedText[]) => void,
  ) {
    this.write = write;
    this.tell = tell;
    this.waiting = start.map((text) => this.named(text));
  }

  get all(): readonly QueuedText[] {
    return this.waiting;
  }

  add(text: string): Promise<void> {
    return this.change([...this.waiting, this.named(text)]);
  }

  /** Takes over the queue that another window wrote. */
  follow(texts: readonly string[]): void {
    this.waiting = texts.map((text) => this.named(text));
    this.tell(this.waiting);
  }

  async remove(id: string): Promise<string | undefined> {
    const found = this.waiting.find((queued) => queued.id === id);
    if (found !== undefined) await this.change(this.waiting.filter((queued) => queued !== found));
    return found?.text;
  }

  /** Sends all queued messages. @param say adds a message to the transcript, after which it leaves the queue */
  async drain(say: (text: string) => Promise<void>): Promise<void> {
    for (let [next] = this.waiting; next !== undefined; [next] = this.waiting) {
      await say(next.text);
      await this.remove(next.id);
    }
  }

  async takeAll(): Promise<string> {
    const texts = this.waiting.map(({ text }) => text);
    if (texts.length > 0) await this.change([]);
    return texts.join('\n\n');
  }

  private async change(queue: readonly QueuedText[]): Promise<void> {
    this.waiting = queue;
    await this.write(queue.map(({ text }) => text));
    this.tell(queue);
  }

  private named(text: string): QueuedText {
    return { id: `q${++this.lastId}`, text };
  }
}
