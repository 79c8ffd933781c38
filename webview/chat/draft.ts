/** Time without typing after which a draft goes to the host, in milliseconds. */
const pause = 300;

/**
 * Sends what a person is writing to the host: soon after the typing pauses, and at once when the view may be
 * about to go away.
 */
export class DraftSender {
  private readonly send: (sessionId: string, text: string) => void;
  private pending: { readonly sessionId: string; readonly text: string } | undefined;
  private timer: number | undefined;

  constructor(send: (sessionId: string, text: string) => void) {
    this.send = send;
  }

  /** A draft of another session has to be flushed before. */
  changed(sessionId: string, text: string): void {
    this.pending = { sessionId, text };
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.flush(), pause);
  }

  flush(): void {
    window.clearTimeout(this.timer);
    if (this.pending === undefined) return;
    const { sessionId, text } = this.pending;
    this.pending = undefined;
    this.send(sessionId, text);
  }
}
