import type {
  InspectorNotification,
  InspectorRequest,
  InspectorState,
} from '../../src/protocol/inspector.ts';
import { element } from '../shared/dom.ts';
import type { OpenRows } from '../shared/host.ts';
import { MessageList } from './message-list.ts';
import type { InspectorTab } from './tab.ts';

/** Messages of a session that is only looked at. Those of the chat are in the chat. */
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

  receive(notification: InspectorNotification): void {
    if (notification.type !== 'messages' && notification.type !== 'message-text') return;
    this.messages?.receive(notification);
  }
}
