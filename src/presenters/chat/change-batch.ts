import { type ChatChange, isStreamed } from '../../protocol/chat.ts';

/** Milliseconds in which changes are gathered: a screen shows no more than one drawing in that time. */
const frame = 16;
/**
 * Bytes of streamed text in JSON that are gathered at most: a message to a view stays below 2 kB while something is
 * written.
 */
const mostBytes = 1_600;

/**
 * Gathers text that is streamed, so that a page gets one message a frame and not one a token. Everything else is
 * passed on at once, after what was gathered.
 */
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

  /** Passes on what was gathered. */
  flush(): void {
    const changes = this.streamed === undefined ? this.gathered : [...this.gathered, this.streamed];
    this.drop();
    if (changes.length > 0) this.post(changes);
  }

  /** Forgets what was gathered, because the page gets it with everything else. */
  drop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.gathered = [];
    this.streamed = undefined;
    this.bytes = 0;
  }

  private gather(change: ChatChange): void {
    // Only the newest number is of interest, and texts on both sides of it are one.
    if (change.type === 'streamed') {
      this.streamed = change;
      return;
    }
    if (this.streamed !== undefined && !isStreamed(change)) {
      this.gathered.push(this.streamed);
      this.streamed = undefined;
    }
    const last = this.gathered.at(-1);
    const isMore =
      (change.type === 'text' && last?.type === 'text' && last.id === change.id) ||
      (change.type === 'reasoning' && last?.type === 'reasoning' && last.id === change.id) ||
      (change.type === 'output' && last?.type === 'output' && last.id === change.id);
    if (isMore) this.gathered.splice(-1, 1, { ...last, text: last.text + change.text });
    else this.gathered.push(change);
  }
}

function bytesOf(changes: readonly ChatChange[]): number {
  return Buffer.byteLength(JSON.stringify(changes));
}
