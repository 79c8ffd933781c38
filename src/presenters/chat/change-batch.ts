import { type ChatChange, isStreamed } from '../../protocol/chat.ts';

/** Milliseconds between two messages of streamed text: the time in which a screen draws one frame. */
const frame = 16;
/** Maximum bytes of streamed text as JSON in one message, so that a message to a view stays below 2 kB. */
const mostBytes = 1_600;

/** Gathers streamed text into one message per frame. Other changes are sent at once, after the gathered text. */
export class ChangeBatch {
  private readonly post: (changes: readonly ChatChange[]) => void;
  private gathered: ChatChange[] = [];
  private streamed: ChatChange | undefined;
  private bytes = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(post: (changes: readonly ChatChange[]) => void) {
    this.post = post;
  }

  add(changes: readonly ChatChange[]): void {
    if (changes.length === 0) return;
    const more = changes.every(isStreamed) ? bytesOf(changes) : Number.POSITIVE_INFINITY;
    if (more < mostBytes && this.bytes + more > mostBytes) this.flush();
    this.bytes += more;
    for (const change of changes) this.gather(change);
    if (this.bytes > mostBytes) this.flush();
    else this.timer ??= setTimeout(() => this.flush(), frame);
  }

  flush(): void {
    const changes = this.streamed === undefined ? this.gathered : [...this.gathered, this.streamed];
    this.drop();
    if (changes.length > 0) this.post(changes);
  }

  /** Discards the gathered changes, because the page is about to get the whole state. */
  drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.gathered = [];
    this.streamed = undefined;
    this.bytes = 0;
  }

  private gather(change: ChatChange): void {
    // Only the newest token count matters, so the texts before and after a count can be joined.
    if (change.type === 'streamed') {
      this.streamed = change;
      return;
    }
    if (this.streamed !== undefined && !isStreamed(change)) {
      this.gathered.push(this.streamed);
      this.streamed = undefined;
    }
    const last = this.gathered.at(-1);
    const isMore = last !== undefined && 'text' in last && 'text' in change;
    if (isMore && last.type === change.type && last.id === change.id)
      this.gathered.splice(-1, 1, { ...last, text: last.text + change.text });
    else this.gathered.push(change);
  }
}

function bytesOf(changes: readonly ChatChange[]): number {
  return Buffer.byteLength(JSON.stringify(changes));
}
