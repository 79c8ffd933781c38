import { originalOf } from '../compaction/archive.ts';
import { isTyped, type Message, type ToolSchema } from '../compaction/message.ts';
import { nextRecordIds } from '../compaction/record-ids.ts';
import type { CompactionHost } from '../compaction/service-ports.ts';
import { append, messagesOf, transcriptOf, type Transcript } from '../compaction/transcript.ts';
import type { TranscriptEntry } from '../compaction/transcript-entry.ts';
import type { SessionEvent } from '../transcripts/session-event.ts';

/** A transcript that is written down first: nothing is part of it before its line is durable. */
export class Journal implements CompactionHost {
  readonly nextRecordId: () => string;
  private readonly log: (event: SessionEvent) => Promise<void>;
  private readonly told: (entry: TranscriptEntry) => void;
  private current: Transcript;
  private schemas: readonly ToolSchema[];
  private lastMessage: number;
  private writing: Promise<unknown> = Promise.resolve();

  /**
   * @param log appends to the session's file; resolves when it is there
   * @param told hears of every entry once it is part of the transcript
   */
  constructor(
    start: { readonly entries: readonly TranscriptEntry[]; readonly tools: readonly ToolSchema[] },
    log: (event: SessionEvent) => Promise<void>,
    told: (entry: TranscriptEntry) => void,
  ) {
    this.log = log;
    this.told = told;
    this.current = transcriptOf(start.entries);
    this.schemas = start.tools;
    this.lastMessage = highestOf(messagesOf(this.current));
    this.nextRecordId = nextRecordIds(this.current);
  }

  get transcript(): Transcript {
    return this.current;
  }

  /** The tool schemas that go with every request: part of what is sent, so part of what is written down. */
  get tools(): readonly ToolSchema[] {
    return this.schemas;
  }

  async setTools(tools: readonly ToolSchema[]): Promise<void> {
    if (JSON.stringify(tools) === JSON.stringify(this.schemas)) return;
    await this.write({ type: 'tools', tools });
    this.schemas = tools;
  }

  async append(entry: TranscriptEntry): Promise<void> {
    await this.enqueue(entry, () => {
      this.current = append(this.current, entry);
    });
    this.told(entry);
  }

  /** Writes down what is no entry of the transcript. */
  write(event: SessionEvent): Promise<void> {
    return this.enqueue(event, () => {});
  }

  /** Id of the message that a person typed last. */
  get lastTypedId(): string | undefined {
    return messagesOf(this.current).findLast(isTyped)?.id;
  }

  nextMessageId(): string {
    return `m${++this.lastMessage}`;
  }

  /** The message of this id as it was said, whatever compactions made of it, or the summary of this id. */
  original(id: string): Message | undefined {
    return originalOf(this.current, id);
  }

  /** One line after the other, whoever writes; a line that failed does not hold up the next. */
  private enqueue(event: SessionEvent, then: () => void): Promise<void> {
    const written = this.writing.then(() => this.log(event)).then(then);
    this.writing = written.catch(() => {});
    return written;
  }
}

/** The highest number behind the letter of an id. */
function highestOf(named: readonly { readonly id: string }[]): number {
  return named.reduce((top, { id }) => Math.max(top, Number(/^[a-z](\d+)$/.exec(id)?.[1] ?? 0)), 0);
}
