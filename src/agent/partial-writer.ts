/** Milliseconds of streamed text that are written and shown together. */
const interval = 80;

/**
 * Gathers streamed text into batches, so that each is made durable before it is shown and a fast stream does not
 * write a line for every token. One batch is handed on at a time, in order.
 */
export class PartialWriter {
  private readonly write: (text: string) => Promise<void>;
  private waiting = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(write: (text: string) => Promise<void>) {
    this.write = write;
  }

  push(text: string): void {
    this.waiting += text;
    this.timer ??= setTimeout(() => this.flush(), interval);
  }

  /** Hands on what is waiting. @throws what `write` threw for any batch */
  async end(): Promise<void> {
    this.flush();
    await this.writing;
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.waiting === '') return;
    const batch = this.waiting;
    this.waiting = '';
    this.writing = this.writing.then(() => this.write(batch));
    // The error is the caller's, who gets it from `end`; until then it must not count as unhandled.
    this.writing.catch(() => {});
  }
}
