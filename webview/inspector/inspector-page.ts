import '../shared/base.css';
import '../shared/kinds.css';
import '../shared/menu.css';
import './inspector.css';
import './usage.css';
import './records.css';
import './summary.css';
import './messages.css';
import './by-hand/by-hand.css';
import './budget/budget.css';
import './timeline/timeline.css';
import './ledger/ledger.css';
import './compactions/compactions.css';
import './compactions/preview.css';
import './what-if/what-if.css';
import './diff/diff.css';
import './diff/diff-tools.css';
import './diff/fates.css';
import './diff/texts.css';
// Imported last, because it overrides the other style sheets.
import './narrow.css';
import { viewsNotifications } from '../../src/protocol/inspector-views.ts';
import { whatIfNotifications } from '../../src/protocol/inspector-what-if.ts';
import { previewRecordId } from '../../src/protocol/inspector-preview.ts';
import { ledgerNotifications } from '../../src/protocol/inspector-ledger.ts';
import { coverageNotifications, diffNotifications } from '../../src/protocol/inspector-compactions.ts';
import { dispatch, forwarded, type Handlers } from '../../src/protocol/messages.ts';
import {
  type InspectorNotification,
  inspectorNotifications,
  type InspectorRequest,
  type InspectorState,
  messagesNotifications,
} from '../../src/protocol/inspector.ts';
import { registerControls } from '../shared/controls.ts';
import { element } from '../shared/dom.ts';
import { connect, type Host, openRows, Remembered } from '../shared/host.ts';
import { styleKinds } from '../shared/kind-looks.ts';
import { Announcer, InspectorHeader, Picker, ReportLine } from './inspector-header.ts';
import { MessageMenu } from './by-hand/message-menu.ts';
import { SentenceMenu } from './by-hand/sentence-menu.ts';
import { BudgetTab } from './budget/budget-tab.ts';
import { CompactionsTab } from './compactions/compactions-tab.ts';
import { LedgerTab } from './ledger/ledger-tab.ts';
import { MessagesTab } from './messages-tab.ts';
import { Tabs } from './page/tabs.ts';
import { TimelineTab } from './timeline/timeline-tab.ts';
import { UsageSection } from './usage-section.ts';
import {
  type InspectorViewState,
  isEditable,
  parseInspectorState,
  type TabName,
} from './page/inspector-view-state.ts';
import { WhatIfTab } from './what-if/what-if-tab.ts';
import { inspectorTexts } from './text/inspector-strings.ts';

/** The inspector: shows how tokens are used and what compactions changed, in the chat or another session. */
class InspectorPage {
  private readonly host: Host<InspectorRequest, InspectorNotification>;
  private readonly post: (request: InspectorRequest) => void;
  private readonly remembered: Remembered<InspectorViewState>;
  private readonly announcer = new Announcer();
  private readonly picker: Picker;
  private readonly header: InspectorHeader;
  private readonly report = new ReportLine();
  private readonly usage: UsageSection;
  private readonly menu: MessageMenu;
  private readonly marks: SentenceMenu;
  private readonly compactions: CompactionsTab;
  private readonly tabs: Tabs<TabName>;
  // Each tab is created when the user first opens it.
  private messages: MessagesTab | undefined;
  private budget: BudgetTab | undefined;
  private timeline: TimelineTab | undefined;
  private whatIf: WhatIfTab | undefined;
  private ledger: LedgerTab | undefined;
  private state: InspectorState | undefined;
  /** Passes each notification to the part of the page that it concerns. */
  private readonly handlers: Handlers<typeof inspectorNotifications> = {
    snapshot: ({ state }) => {
      this.state = state;
      this.render(state);
    },
    select: ({ recordId }) => this.showRecord(recordId),
    step: ({ by }) => this.tabs.shown?.step?.(by),
    'trigger-refused': () => this.usage.refuseTrigger(),
    budget: (notification) => this.budget?.receive(notification),
    timeline: (notification) => this.timeline?.receive(notification),
    'request-difference': (notification) => this.timeline?.receiveDifference(notification),
    ...forwarded(viewsNotifications, (notification) => this.timeline?.receiveViews(notification)),
    ...forwarded(messagesNotifications, (notification) => this.messages?.receive(notification)),
    ...forwarded(ledgerNotifications, (notification) => this.ledger?.receive(notification)),
    ...forwarded(whatIfNotifications, (notification) => this.whatIf?.receive(notification)),
    ...forwarded(diffNotifications, (notification) => {
      this.compactions.receiveDiff(notification);
      this.timeline?.receiveDiff(notification);
      this.whatIf?.receiveDiff(notification);
    }),
    ...forwarded(coverageNotifications, (notification) => {
      this.compactions.receiveCoverage(notification);
      this.whatIf?.receiveCoverage(notification);
    }),
  };

  constructor(host: Host<InspectorRequest, InspectorNotification>) {
    this.host = host;
    this.remembered = new Remembered(host, parseInspectorState(host.getState()));
    this.post = (request) => {
      if (request.type === 'restore') this.compactions.expectRestored();
      if (request.type === 'show') this.compactions.expectRestored(request.messageIds.length);
      host.post(request);
    };
    const open = openRows(
      () => this.remembered.current.open,
      (rows) => this.remembered.update({ open: rows }),
    );
    this.menu = new MessageMenu(this.post);
    this.marks = new SentenceMenu(this.post);
    this.picker = new Picker(this.post);
    this.header = new InspectorHeader(this.post);
    this.usage = new UsageSection(this.post);
    const showRecord = (recordId: string) => this.showRecord(recordId);
    const showDifference = (messageId: string) => this.showDifference(messageId);
    this.compactions = new CompactionsTab(
      {
        post: this.post,
        menu: this.menu,
        marks: this.marks,
        onCompare: (recordId) => {
          this.choose('timeline');
          this.timeline?.showViews({ recordId }, 'now');
        },
        onReplay: (recordId) => {
          this.choose('what-if');
          this.whatIf?.replay(recordId);
        },
      },
      this.remembered,
      open,
    );
    this.tabs = new Tabs<TabName>(
      inspectorTexts.tabs.label,
      [
        {
          name: 'messages',
          title: inspectorTexts.tabs.messages,
          create: () => (this.messages = new MessagesTab(this.post, open)),
        },
        {
          name: 'budget',
          title: inspectorTexts.tabs.budget,
          create: () => (this.budget = new BudgetTab(this.post, this.menu, { showRecord, showDifference })),
        },
        {
          name: 'timeline',
          title: inspectorTexts.tabs.timeline,
          create: () => (this.timeline = new TimelineTab({ post: this.post, menu: this.menu }, showRecord)),
        },
        { name: 'compactions', title: inspectorTexts.tabs.compactions, create: () => this.compactions },
        {
          name: 'what-if',
          title: inspectorTexts.tabs.whatIf,
          create: () => (this.whatIf = new WhatIfTab(this.post)),
        },
        {
          name: 'ledger',
          title: inspectorTexts.tabs.ledger,
          create: () => (this.ledger = new LedgerTab(this.post, this.menu, this.marks)),
        },
      ],
      (tab) => this.choose(tab),
    );
    // Hidden, because an empty page would be visible before the first snapshot.
    document.body.hidden = true;
    document.body.append(
      element(
        'main',
        {},
        this.announcer.element,
        this.marks.element,
        this.picker.element,
        this.header.element,
        this.report.element,
        this.usage.element,
        this.tabs.element,
        this.menu.picked.element,
      ),
    );
  }

  /** Requests the state from the host. */
  start(): void {
    this.host.onNotification((notification) => dispatch(this.handlers, notification));
    const { sessionId } = this.remembered.current;
    this.post(sessionId === undefined ? { type: 'ready' } : { type: 'ready', sessionId });
  }

  private showRecord(recordId: string): void {
    this.compactions.select(recordId);
    this.choose('compactions');
  }

  private showDifference(messageId: string): void {
    this.choose('timeline');
    this.timeline?.showDifference(messageId);
  }

  private choose(tab: TabName): void {
    this.remembered.update({ tab });
    if (this.state !== undefined) this.renderTab(this.state);
  }

  private render(state: InspectorState): void {
    const { sessionId, chatId, records, preview, messageCount } = state;
    if (this.remembered.current.sessionId !== sessionId) {
      // A record that was requested while the page opened belongs to this session.
      const { recordId } = this.remembered.current;
      const isPreview = preview !== undefined && recordId === previewRecordId;
      const isKnown = isPreview || records.some(({ id }) => id === recordId);
      this.remembered.update({ sessionId, open: [], ...(isKnown ? {} : { recordId: undefined }) });
    }
    document.body.hidden = false;
    this.announcer.render(state);
    this.menu.render(state);
    this.marks.render(state);
    this.picker.render(state);
    this.header.render(state);
    this.report.render(state.report);
    this.usage.render(state.usage, isEditable(state));
    this.tabs.setStatus('messages', { isThere: messageCount !== undefined, count: messageCount });
    const count = records.length === 0 ? undefined : records.length;
    this.tabs.setStatus('compactions', { isThere: sessionId === chatId || count !== undefined, count });
    this.renderTab(state);
  }

  private renderTab(state: InspectorState): void {
    const tab = shownTab(state, this.remembered.current.tab);
    this.usage.showAs(tab === 'budget' ? 'table' : 'line');
    this.tabs.show(tab)?.render(state);
  }
}

/** The selected tab, or another one if the session does not have it. */
function shownTab(
  { sessionId, chatId, records, messageCount }: InspectorState,
  chosen: TabName | undefined,
): TabName {
  const hasCompactions = records.length > 0;
  if (chosen === 'messages' && messageCount === undefined) return 'compactions';
  if (chosen === 'compactions' && sessionId !== chatId && !hasCompactions) return 'messages';
  return chosen ?? (messageCount === undefined || hasCompactions ? 'compactions' : 'messages');
}

registerControls();
styleKinds();
new InspectorPage(connect<InspectorRequest, typeof inspectorNotifications>(inspectorNotifications)).start();
