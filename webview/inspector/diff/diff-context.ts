import type { DiffMatch } from '../../../src/protocol/inspector-compactions.ts';
import type { DiffRowView, MessageView } from '../../../src/protocol/inspector-records.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import type { OpenRows } from '../../shared/host.ts';

/** Services that all rows of a diff share. */
export interface DiffContext {
  readonly store: DiffStore;
  readonly open: OpenRows;
  /** False in a sub-agent, and for an undone compaction, whose messages are all restored. */
  readonly canRestore: boolean;
  /** False if the session is read-only. */
  readonly canPin: boolean;
  readonly menu?: MessageMenu | undefined;
  /** Scrolls to another row of the diff. */
  readonly goTo: (key: string) => void;
  readonly post: (request: InspectorRequest) => void;
}

/** The text of a message before and after a compaction. */
export interface Texts {
  readonly before: string;
  readonly after?: string | undefined;
}

/** Answers that are requested once and kept. */
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

/** The parts of a diff that are loaded on demand: all sources of a row, and the texts of a message. */
export class DiffStore {
  readonly recordId: string;
  readonly sources: Answers<number, readonly MessageView[]>;
  readonly texts: Answers<string, Texts>;

  constructor(recordId: string, post: (request: InspectorRequest) => void) {
    this.recordId = recordId;
    this.sources = new Answers((index) => post({ type: 'sources', recordId, index }));
    this.texts = new Answers((messageId) => post({ type: 'texts', recordId, messageId }));
  }
}

/** Keys of the rows to open so that a message's text is visible, outermost first. */
export function keysTo(
  { index, fate, sources, sourceCount }: DiffRowView,
  { messageId, side }: Pick<DiffMatch, 'messageId' | 'side'>,
): readonly string[] {
  const row = `row:${index}`;
  const message = `${row}:${messageId}`;
  if (fate === 'keep') return [row, message];
  const isPair = sourceCount === 1 && fate !== 'summarise';
  if (isPair) return [row];
  if (side === 'after') return [`output:${index}`];
  const isShown = sources.some(({ id }) => id === messageId);
  return isShown ? [message] : [`more:${index}`, message];
}
