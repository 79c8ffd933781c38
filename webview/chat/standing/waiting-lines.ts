import type { ChatRow, QueuedMessage } from '../../../src/protocol/chat-rows.ts';
import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { element, type ItemView, KeyedList, plainButton, setAttribute, setText } from '../../shared/dom.ts';
import { strings } from '../text/chat-strings.ts';
import { revealed } from '../text/deceptive-characters.ts';

const words = strings.approval;

/** Shows how many actions wait for the user, wherever the log is scrolled, and leads to them one by one. */
export class WaitingLine {
  readonly element: HTMLElement;
  private readonly count = element('span');
  private readonly which = element('span', { class: 'spoken' });
  private readonly show: HTMLButtonElement;
  private ids: readonly string[] = [];
  private lastShown: string | undefined;

  /** @param onShow called with the id of a waiting row */
  constructor(onShow: (id: string) => void) {
    this.show = plainButton({ class: 'link', hidden: true }, () => {
      this.lastShown = this.ids[(this.ids.indexOf(this.lastShown ?? '') + 1) % this.ids.length];
      if (this.lastShown !== undefined) onShow(this.lastShown);
    });
    // A live region must be on the page before it gets text.
    const announced = element('span', { role: 'status' }, this.count, this.which);
    this.element = element('div', { class: 'waiting-line' }, announced, this.show);
  }

  render(rows: readonly ChatRow[]): void {
    const waiting = rows.flatMap((row) =>
      row.type === 'tool' && row.state === 'waiting' && row.approval !== undefined
        ? [{ id: row.id, title: row.approval.title }]
        : [],
    );
    this.ids = waiting.map(({ id }) => id);
    const newest = waiting.at(-1);
    setText(this.count, newest === undefined ? '' : words.count({ count: waiting.length }));
    setText(this.which, newest === undefined ? '' : words.which({ title: revealed(newest.title) }));
    setText(this.show, waiting.length > 1 ? words.showNext : words.show);
    this.show.hidden = newest === undefined;
  }
}

const queueWords = strings.queue;

/** The messages that are queued for the agent, one line each. */
export class QueueList {
  readonly element = element('ul', { class: 'queue', 'aria-label': queueWords.list });
  private readonly messages: KeyedList<QueuedMessage>;

  constructor(post: (request: ChatRequest) => void) {
    this.messages = new KeyedList<QueuedMessage>(this.element, {
      keyOf: ({ id }) => id,
      create: (message) => queuedMessage(message, post),
    });
  }

  render(queue: readonly QueuedMessage[]): void {
    this.messages.render(queue);
    this.element.hidden = queue.length === 0;
  }
}

function queuedMessage(
  message: QueuedMessage,
  post: (request: ChatRequest) => void,
): ItemView<QueuedMessage> {
  const text = element('span', { class: 'queued-text' });
  const edit = plainButton(
    { class: 'link changes-chat' },
    () => post({ type: 'unqueue', id: message.id }),
    queueWords.edit,
  );
  const update = (next: QueuedMessage) => {
    setText(text, next.text);
    setAttribute(text, 'title', next.text);
    setAttribute(edit, 'aria-label', queueWords.editLabel({ text: next.text }));
  };
  update(message);
  return {
    element: element('li', {}, element('span', { class: 'queued-mark' }, queueWords.queued), text, edit),
    update,
  };
}
