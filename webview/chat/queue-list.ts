import type { ChatRequest } from '../../src/protocol/chat.ts';
import type { QueuedMessage } from '../../src/protocol/chat-rows.ts';
import { element, type ItemView, KeyedList, plainButton, setAttribute, setText } from '../dom.ts';
import { strings } from './strings.ts';

const words = strings.queue;

/** Messages that the agent has not been told yet, each a line. */
export class QueueList {
  readonly element = element('ul', { class: 'queue', 'aria-label': words.list });
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
    words.edit,
  );
  const update = (next: QueuedMessage) => {
    setText(text, next.text);
    setAttribute(text, 'title', next.text);
    setAttribute(edit, 'aria-label', words.editLabel(next.text));
  };
  update(message);
  return {
    element: element('li', {}, element('span', { class: 'queued-mark' }, words.queued), text, edit),
    update,
  };
}
