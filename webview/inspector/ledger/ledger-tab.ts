import type {
  InspectorNotification,
  InspectorRequest,
  InspectorState,
} from '../../../src/protocol/inspector.ts';
import { element } from '../../shared/dom.ts';
import type { InspectorTab } from '../page/tabs.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import { LedgerSearch } from './ledger-search.ts';
import { FactList } from './fact-list.ts';
import { MessageTexts, type SaidContext } from './said-message.ts';

/** Everything that was ever said: what is known of it, and a search over it. */
export class LedgerTab implements InspectorTab {
  readonly element: HTMLElement;
  private readonly texts: MessageTexts;
  private readonly search: LedgerSearch;
  private readonly facts: FactList;
  private state: InspectorState | undefined;

  constructor(post: (request: InspectorRequest) => void) {
    this.texts = new MessageTexts((messageId) => post({ type: 'archive-text', messageId }));
    const context: SaidContext = {
      post,
      texts: this.texts,
      canChange: () => this.state !== undefined && isEditable(this.state),
    };
    this.search = new LedgerSearch(context);
    this.facts = new FactList(context);
    this.element = element('div', { class: 'ledger' }, this.search.element, this.facts.element);
  }

  render(state: InspectorState): void {
    const isOther = this.state?.sessionId !== state.sessionId;
    this.state = state;
    if (isOther) {
      this.search.clear();
      this.facts.clear();
    }
    this.search.refresh();
    this.facts.refresh();
  }

  receive(notification: InspectorNotification): void {
    switch (notification.type) {
      case 'facts':
      case 'archive-hits':
      case 'archive-text':
        if (notification.sessionId === this.state?.sessionId) this.show(notification);
    }
  }

  private show(
    notification: Extract<InspectorNotification, { type: 'facts' | 'archive-hits' | 'archive-text' }>,
  ): void {
    switch (notification.type) {
      case 'facts':
        this.facts.receive(notification);
        break;
      case 'archive-hits':
        this.search.receive(notification);
        break;
      case 'archive-text':
        this.texts.receive(notification.messageId, notification.text, notification.isCut);
    }
  }
}
