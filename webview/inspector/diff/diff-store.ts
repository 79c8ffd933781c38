import type { InspectorNotification, InspectorRequest } from '../../../src/protocol/inspector.ts';
import type { MessageView } from '../../../src/protocol/inspector-records.ts';

/** A message's text before and after a compaction. */
export interface Texts {
  readonly before: string;
  readonly after?: string | undefined;
}

/** Answers that were asked for once, whoever asks again. */
class Answers<Key, Answer> {
  private readonly ask: (key: Key) => void;
  private readonly known = new Map<Key, Answer>();
  private readonly listeners = new Map<Key, ((answer: Answer) => void)[]>();

  constructor(ask: (key: Key) => void) {
    this.ask = ask;
  }

  request(key: Key, listener: (answer: Answer) => void): void {
    const known = this.known.get(key);
    if (known !== undefined) {
      listener(known);
      return;
    }
    const waiting = this.listeners.get(key);
    this.listeners.set(key, [...(waiting ?? []), listener]);
    if (waiting === undefined) this.ask(key);
  }

  receive(key: Key, answer: Answer): void {
    this.known.set(key, answer);
    const waiting = this.listeners.get(key) ?? [];
    this.listeners.delete(key);
    for (const listener of waiting) listener(answer);
  }

  forget(key: Key): void {
    this.known.delete(key);
  }
}

/** What a diff shows on demand: all messages of a row, and the texts of a message. */
export class DiffStore {
  readonly recordId: string;
  readonly sources: Answers<number, readonly MessageView[]>;
  readonly texts: Answers<string, Texts>;

  constructor(recordId: string, post: (request: InspectorRequest) => void) {
    this.recordId = recordId;
    this.sources = new Answers((index) => post({ type: 'sources', recordId, index }));
    this.texts = new Answers((messageId) => post({ type: 'texts', recordId, messageId }));
  }

  receive(notification: Extract<InspectorNotification, { type: 'sources' | 'texts' }>): void {
    if (notification.recordId !== this.recordId) return;
    if (notification.type === 'sources') this.sources.receive(notification.index, notification.sources);
    else this.texts.receive(notification.messageId, notification);
  }
}
