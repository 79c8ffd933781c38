import type { LedgerNotification, ledgerNotifications } from '../../../src/protocol/inspector-ledger.ts';
import { dispatch, type Handlers } from '../../../src/protocol/messages.ts';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import { element } from '../../shared/dom.ts';
import type { InspectorTab } from '../page/tabs.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import type { SentenceMenu } from '../by-hand/sentence-menu.ts';
import { LedgerSearch } from './ledger-search.ts';
import { FactList } from './fact-list.ts';
import { MessageTexts, type SaidContext } from './said-message.ts';

/** The tab about the whole conversation: its facts, and a search. */
export class LedgerTab implements InspectorTab {
  readonly element: HTMLElement;
  private readonly texts: MessageTexts;
  private readonly search: LedgerSearch;
  private readonly facts: FactList;
  private state: InspectorState | undefined;

  private readonly handlers: Handlers<typeof ledgerNotifications> = {
    facts: (answer) => this.facts.receive(answer),
    'archive-hits': (answer) => this.search.receive(answer),
    'archive-text': ({ messageId, text, isCut }) => this.texts.receive(messageId, text, isCut),
  };

  constructor(post: (request: InspectorRequest) => void, menu: MessageMenu, marks: SentenceMenu) {
    this.texts = new MessageTexts((messageId) => post({ type: 'archive-text', messageId }));
    const context: SaidContext = {
      post,
      texts: this.texts,
      menu,
      marks,
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

  receive(notification: LedgerNotification): void {
    if (notification.sessionId === this.state?.sessionId) dispatch(this.handlers, notification);
  }
}
