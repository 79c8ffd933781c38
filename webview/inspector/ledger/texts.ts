/** Texts that were asked for and have not come yet. */
export class Texts {
  private readonly post: (messageId: string) => void;
  private readonly waiting = new Map<string, ((text: string, isCut: boolean) => void)[]>();

  constructor(post: (messageId: string) => void) {
    this.post = post;
  }

  /** Asks for a text, once for all who want it. */
  ask(messageId: string, show: (text: string, isCut: boolean) => void): void {
    const others = this.waiting.get(messageId);
    if (others !== undefined) others.push(show);
    else {
      this.waiting.set(messageId, [show]);
      this.post(messageId);
    }
  }

  receive(messageId: string, text: string, isCut: boolean): void {
    const waiting = this.waiting.get(messageId) ?? [];
    this.waiting.delete(messageId);
    for (const show of waiting) show(text, isCut);
  }
}
