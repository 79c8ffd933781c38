import { html, nothing, type TemplateResult } from 'lit';
import type { MessageView } from '../../../src/protocol/inspector-records.ts';
import { Component, component } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { virtualList } from '../../shared/virtual-list.ts';
import { saidBy } from '../by-hand/selected-sentence.ts';
import { messageLine } from '../diff/message-line.ts';
import { wholeText } from '../diff/texts-panel.ts';
import { type MessagesData, noMessages } from '../state/messages-data.ts';
import type { TabProps } from '../state/page-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.messages;

interface MessagesTabProps extends TabProps {
  readonly data: MessagesData;
}

/** The messages of a read-only session, one line each. A line expands to the full text. */
class MessagesTab extends Component<MessagesTabProps> {
  /** Requests without an answer. */
  private readonly asked = new Set<string>();

  protected override render(): TemplateResult {
    const { messages } = this.data;
    const { messageCount = 0 } = this.props.session;
    const note = messageCount === 0 ? words.none : messages.length === 0 ? words.loading : '';
    return html`<section aria-labelledby="messages-title">
      <h2 id="messages-title" class="spoken">${words.title}</h2>
      ${virtualList<MessageView>({
        items: messages,
        label: words.title,
        rowHeight: 25,
        keyOf: ({ id }) => id,
        row: (message) => this.row(message),
      })}
      <p class="dim" role="status">${note}</p>
    </section>`;
  }

  protected override updated(): void {
    const { session, view, page } = this.props;
    const { sessionId, messageCount = 0 } = session;
    const { messages, texts } = this.data;
    const from = messages.length;
    if (from < messageCount)
      this.ask(`${sessionId}:${from}`, () => page.post({ type: 'messages', sessionId, from }));
    for (const { id: messageId } of messages) {
      const key = `${sessionId}:text:${messageId}`;
      if (texts.has(messageId)) this.asked.delete(key);
      else if (view.open.includes(keyOf(messageId)))
        this.ask(key, () => page.post({ type: 'message-text', sessionId, messageId }));
    }
  }

  private get data(): MessagesData {
    const { data, session } = this.props;
    return data.sessionId === session.sessionId ? data : noMessages;
  }

  private ask(key: string, post: () => void): void {
    if (this.asked.has(key)) return;
    this.asked.add(key);
    post();
  }

  private row(message: MessageView): TemplateResult {
    const isOpen = this.props.view.open.includes(keyOf(message.id));
    return html`<button
        type="button"
        class="line message"
        data-stop
        aria-expanded=${isOpen}
        @click=${() => this.toggle(keyOf(message.id))}
      >
        ${iconTemplate('chevron')} ${messageLine({ message })}
      </button>
      ${isOpen ? this.text(message) : nothing}`;
  }

  private text({ id, kind }: MessageView): TemplateResult {
    const text = this.data.texts.get(id);
    return html`<div class="texts">
      ${
        text === undefined
          ? html`<p class="dim">${words.loadingText}</p>`
          : wholeText(text, saidBy(kind, id), words.cut)
      }
    </div>`;
  }

  private toggle(key: string): void {
    const { page } = this.props;
    const { open } = page.store.current.view;
    page.choose({ open: open.includes(key) ? open.filter((other) => other !== key) : [...open, key] });
  }
}

function keyOf(messageId: string): string {
  return `message:${messageId}`;
}

export const messagesTab = component('cb-messages', MessagesTab);
