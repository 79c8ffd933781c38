import type { Message } from '../compaction/message.ts';
import type { Attach } from './session-ports.ts';
import type { Journal } from './journal.ts';

/** What is said in a session by others than the model and its tools. */
export class Speech {
  private readonly journal: Journal;
  private readonly now: () => string;

  /** @param now the time in ISO 8601 */
  constructor(journal: Journal, now: () => string) {
    this.journal = journal;
    this.now = now;
  }

  /** Says what a person typed, with everything that it names to be attached. */
  async person(text: string, attach: Attach | undefined, signal: AbortSignal): Promise<void> {
    const id = this.journal.nextMessageId();
    const { problems: _problems, ...composed } = (await attach?.(text, id, signal)) ?? {
      content: text,
      problems: [],
    };
    await this.journal.append({
      type: 'message',
      message: { role: 'user', origin: 'person', ...composed, id, createdAt: this.now() },
    });
  }

  reminder(content: string): Promise<void> {
    return this.append({ role: 'user', origin: 'harness', kind: 'reminder', content });
  }

  append(message: Omit<Message, 'id' | 'createdAt'>): Promise<void> {
    const id = this.journal.nextMessageId();
    return this.journal.append({ type: 'message', message: { ...message, id, createdAt: this.now() } });
  }
}
