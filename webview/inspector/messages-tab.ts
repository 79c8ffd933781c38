import { dispatch, type Handlers } from '../../src/protocol/messages.ts';
import type { MessageView } from '../../src/protocol/inspector-records.ts';
import type {
  InspectorRequest,
  InspectorState,
  MessagesNotification,
  messagesNotifications,
} from '../../src/protocol/inspector.ts';
import { element, freshId, type ItemView, setText } from '../shared/dom.ts';
import { GroupedList } from '../shared/grouped-list.ts';
import type { OpenRows } from '../shared/host.ts';
import { saidBy } from './by-hand/sentence-menu.ts';
import { disclosureLine, RovingStops } from './diff/disclosure-line.ts';
import { messageCell } from './diff/message-cell.ts';
import type { InspectorTab } from './page/tabs.ts';
import { inspectorTexts } from './text/inspector-strings.ts';

/** The messages of a read-only session. The chat's own messages are in the chat. */
export class MessagesTab implements InspectorTab {
  readonly element = element('div');
  private readonly post: (request: InspectorRequest) => void;
  private readonly open: OpenRows;
  private messages: MessageList | undefined;

  constructor(post: (request: InspectorRequest) => void, open: OpenRows) {
    this.post = post;
    this.open = open;
  }

  render({ sessionId, messageCount }: InspectorState): void {
    if (messageCount === undefined) return;
    if (this.messages?.sessionId !== sessionId) {
      this.messages = new MessageList(sessionId, this.open, this.post);
      this.element.replaceChildren(this.messages.element);
    }
    this.messages.render(messageCount);
  }

  receive(notification: MessagesNotification): void {
    this.messages?.receive(notification);
  }
}

const words = inspectorTexts.messages;

/** Maximum characters of a text shown on the page. */
const longestShown = 100_000;

/** The messages of a read-only session, one line each. A line expands to the full text. */
class MessageList {
  readonly element: HTMLElement;
  readonly sessionId: string;
  private readonly post: (request: InspectorRequest) => void;
  private readonly open: OpenRows;
  private readonly list = element('div', { class: 'messages', role: 'list' });
  private readonly rows: GroupedList<MessageView, ItemView<MessageView>>;
  private readonly stops: RovingStops;
  private readonly note = element('p', { class: 'dim loading', role: 'status' }, words.loading);
  /** Message id → open element that waits for the text. */
  private readonly awaited = new Map<string, HTMLElement>();
  private messages: readonly MessageView[] = [];
  private count = 0;
  /** Position in the last request. */
  private asked = -1;

  private readonly handlers: Handlers<typeof messagesNotifications> = {
    messages: ({ from, messages }) => {
      // Accepts only messages that continue the list or replace its end. The end of a live session can change.
      if (from > this.messages.length) return;
      const before = this.messages.slice(0, from);
      this.messages = [...before, ...messages, ...this.messages.slice(from + messages.length)];
      this.rows.render(this.messages);
      this.stops.refresh();
      setText(this.note, '');
      if (messages.length > 0) this.askForMore();
    },
    'message-text': ({ messageId, text }) => this.showText(messageId, text),
  };

  constructor(sessionId: string, open: OpenRows, post: (request: InspectorRequest) => void) {
    const id = freshId();
    this.sessionId = sessionId;
    this.open = open;
    this.post = post;
    this.list.setAttribute('aria-labelledby', id);
    this.rows = new GroupedList<MessageView, ItemView<MessageView>>(this.list, {
      keyOf: (message) => message.id,
      create: (message) => this.row(message),
      isSame: (shown, message) => JSON.stringify(shown) === JSON.stringify(message),
      from: 'start',
      group: { class: 'message-group', role: 'none' },
    });
    this.stops = new RovingStops(this.list, () => this.rows.drawAll());
    this.element = element(
      'section',
      { 'aria-labelledby': id },
      element('h2', { id }, words.title),
      this.list,
      this.note,
    );
  }

  /** @param count current number of messages; never decreases */
  render(count: number): void {
    this.count = count;
    setText(this.note, count === 0 ? words.none : this.messages.length === 0 ? words.loading : '');
    this.askForMore();
  }

  receive(answer: MessagesNotification): void {
    if (answer.sessionId === this.sessionId) dispatch(this.handlers, answer);
  }

  private askForMore(): void {
    const from = this.messages.length;
    if (from >= this.count || from === this.asked) return;
    this.asked = from;
    this.post({ type: 'messages', sessionId: this.sessionId, from });
  }

  private row(message: MessageView): ItemView<MessageView> {
    const key = `message:${message.id}`;
    const ask = (text: HTMLElement) => {
      this.awaited.set(message.id, text);
      this.post({ type: 'message-text', sessionId: this.sessionId, messageId: message.id });
    };
    const fill = (target: HTMLElement) => {
      const text = element('div', { class: 'texts' }, element('p', { class: 'dim' }, words.loadingText));
      target.append(text);
      ask(text);
    };
    const { button, panel } = disclosureLine({ key, class: 'message', fill }, { open: this.open });
    button.append(messageCell({ message, hasChevron: true }));
    return {
      element: element('div', { class: 'message-row', role: 'listitem' }, button, panel),
      update: (changed) => {
        button.replaceChildren(messageCell({ message: changed, hasChevron: true }));
        const text = panel.querySelector<HTMLElement>('.texts');
        if (text !== null) ask(text);
      },
    };
  }

  private showText(messageId: string, text: string): void {
    const target = this.awaited.get(messageId);
    this.awaited.delete(messageId);
    if (target === undefined) return;
    const shown = text.slice(0, longestShown);
    const kind = this.messages.find(({ id }) => id === messageId)?.kind;
    target.replaceChildren(
      text === ''
        ? element('p', { class: 'dim' }, inspectorTexts.diff.noText)
        : element('pre', { tabindex: 0, 'data-said': saidBy(kind, messageId) }, shown),
    );
    if (shown.length === text.length) return;
    target.append(element('p', { class: 'dim' }, words.cut({ characters: longestShown })));
  }
}
