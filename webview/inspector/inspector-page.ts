import '../shared/base.css';
import '../shared/kinds.css';
import './inspector.css';
import './by-hand/by-hand.css';
import { css, html, render } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { coverageNotifications, diffNotifications } from '../../src/protocol/inspector-compactions.ts';
import { ledgerNotifications } from '../../src/protocol/inspector-ledger.ts';
import { previewRecordId } from '../../src/protocol/inspector-preview.ts';
import { viewsNotifications } from '../../src/protocol/inspector-views.ts';
import { whatIfNotifications } from '../../src/protocol/inspector-what-if.ts';
import {
  type InspectorNotification,
  inspectorNotifications,
  type InspectorRequest,
  type InspectorState,
  messagesNotifications,
} from '../../src/protocol/inspector.ts';
import { dispatch, forwarded, type Handlers } from '../../src/protocol/messages.ts';
import { addStyles } from '../shared/component.ts';
import { registerControls, registerDropdowns } from '../shared/controls.ts';
import { connect, type Host, Remembered } from '../shared/host.ts';
import { styleKinds } from '../shared/kind-looks.ts';
import { Store } from '../shared/store.ts';
import { MessageMenu } from './by-hand/message-menu.ts';
import { SentenceMenu } from './by-hand/sentence-menu.ts';
import { compactionsTab } from './compactions/compactions-tab.ts';
import { receiveInDiffs } from './compactions/diff-place.ts';
import type { Diff } from './diff/diff.ts';
import { expectChange, receiveCoverage, receiveSession } from './state/compaction-answers.ts';
import { receiveFacts } from './state/facts-answers.ts';
import { factsTab } from './facts/facts-tab.ts';
import { receiveMessages } from './state/messages-data.ts';
import { messagesTab } from './messages/messages-tab.ts';
import { announcementOf } from './page/announcer.ts';
import { header } from './page/header.ts';
import { type InspectorViewState, parseInspectorState, type TabName } from './page/inspector-view-state.ts';
import { emptyPage, type PageActions, type PageState } from './state/page-state.ts';
import { type Tab, tabs } from './page/tabs.ts';
import { inspectorTexts } from './text/inspector-strings.ts';
import {
  openComparison,
  openDifference,
  receiveDifference,
  receiveTimeline,
  receiveViews,
} from './state/timeline-state.ts';
import { timelineTab } from './timeline/timeline-tab.ts';
import { receiveWhatIf } from './state/what-if-answers.ts';
import { whatIfTab } from './what-if/what-if-tab.ts';
import { receiveBudget } from './window/tiles.ts';
import { windowTab } from './window/window-tab.ts';

/** The inspector: shows how tokens are used and what compactions changed, in the chat or another session. */
class InspectorPage {
  private readonly host: Host<InspectorRequest, InspectorNotification>;
  private readonly store: Store<PageState>;
  private readonly actions: PageActions;
  private readonly remembered: Remembered<InspectorViewState>;
  /** The last words for screen readers. */
  private announcement = '';
  private isDrawing = false;
  private isStale = false;
  private readonly openedTabs = new Set<TabName>();
  /** The tab that was drawn last. */
  private drawn: TabName | undefined;
  /** Passes each notification to the part of the page that it concerns. */
  private readonly handlers: Handlers<typeof inspectorNotifications> = {
    snapshot: ({ state }) => this.receive(state),
    select: ({ recordId }) => this.actions.showRecord(recordId),
    step: ({ by }) => this.step(by),
    'trigger-refused': () => this.store.update({ triggerRefusals: this.store.current.triggerRefusals + 1 }),
    budget: this.ofShown((news, { budget }) => ({ budget: receiveBudget(budget, news) })),
    timeline: this.ofShown((news, { timeline }) => ({ timeline: receiveTimeline(timeline, news) })),
    'request-difference': this.ofShown((news, { timeline }) => ({
      timeline: receiveDifference(timeline, news),
    })),
    ...forwarded(
      viewsNotifications,
      this.ofShown((news, { timeline }) => ({ timeline: receiveViews(timeline, news) })),
    ),
    ...forwarded(messagesNotifications, (notification) => {
      const { messages, session } = this.store.current;
      this.store.update({ messages: receiveMessages(messages, notification, session?.sessionId) });
    }),
    ...forwarded(
      ledgerNotifications,
      this.ofShown((news, { facts }) => ({ facts: receiveFacts(facts, news) })),
    ),
    ...forwarded(
      whatIfNotifications,
      this.ofShown((news, { whatIf }) => ({ whatIf: receiveWhatIf(whatIf, news) })),
    ),
    ...forwarded(diffNotifications, receiveInDiffs),
    ...forwarded(coverageNotifications, (notification) => {
      this.store.update({ compactions: receiveCoverage(this.store.current.compactions, notification) });
    }),
  };

  constructor(host: Host<InspectorRequest, InspectorNotification>) {
    this.host = host;
    const view = parseInspectorState(host.getState());
    this.store = new Store(emptyPage(view));
    this.remembered = new Remembered(
      { setState: (state) => this.store.update({ view: state as InspectorViewState }) },
      view,
    );
    const post = (request: InspectorRequest) => {
      this.store.update({ compactions: expectChange(this.store.current.compactions, request) });
      host.post(request);
    };
    this.actions = {
      store: this.store,
      post,
      choose: (change) => this.remembered.update(change),
      showRecord: (recordId) => {
        const isOther = recordId !== this.store.current.view.recordId;
        this.actions.choose({ tab: 'compactions', recordId, ...(isOther ? { open: [] } : {}) });
      },
      showDifference: (messageId) => {
        const { timeline, session } = this.store.current;
        this.store.update({ timeline: openDifference(timeline, session?.sessionId ?? '', messageId) });
        this.actions.choose({ tab: 'timeline' });
        post({ type: 'request-difference', messageId });
      },
      compareWithNow: (recordId) => {
        const { timeline, session } = this.store.current;
        const opened = openComparison(timeline, session?.sessionId ?? '', { recordId }, 'now');
        this.store.update({ timeline: opened });
        this.actions.choose({ tab: 'timeline' });
      },
      replay: (recordId) => {
        this.actions.choose({ tab: 'what-if' });
        this.store.update({ whatIf: { ...this.store.current.whatIf, preview: undefined } });
        post({ type: 'what-if-run', before: recordId });
      },
      menu: new MessageMenu(post),
      marks: new SentenceMenu(post),
    };
    this.store.subscribe((state, before) => {
      if (state.view !== before.view) host.setState(state.view);
      this.draw();
    });
    // Hidden, because an empty page would be visible before the first snapshot.
    document.body.hidden = true;
  }

  /** Requests the state from the host. */
  start(): void {
    this.host.onNotification((notification) => dispatch(this.handlers, notification));
    const { sessionId } = this.store.current.view;
    this.host.post(sessionId === undefined ? { type: 'ready' } : { type: 'ready', sessionId });
  }

  private receive(session: InspectorState): void {
    const { sessionId, records, preview } = session;
    const { view } = this.store.current;
    if (view.sessionId !== sessionId) {
      // A record that was requested while the page opened belongs to this session.
      const { recordId } = view;
      const isPreview = preview !== undefined && recordId === previewRecordId;
      const isKnown = isPreview || records.some(({ id }) => id === recordId);
      this.actions.choose({ sessionId, open: [], ...(isKnown ? {} : { recordId: undefined }) });
    }
    this.announcement = announcementOf(session, this.store.current.session) ?? this.announcement;
    const { compactions, session: before } = this.store.current;
    this.store.update({ session, compactions: receiveSession(compactions, session, before) });
  }

  /** Creates a handler that ignores answers about another session than the displayed one. */
  private ofShown<News extends { readonly sessionId: string }>(
    receive: (news: News, known: PageState) => Partial<PageState>,
  ): (news: News) => void {
    return (news) => {
      const known = this.store.current;
      if (news.sessionId === known.session?.sessionId) this.store.update(receive(news, known));
    };
  }

  /** Draws the page, once more if drawing it changed the state. */
  private draw(): void {
    this.isStale = true;
    if (this.isDrawing) return;
    this.isDrawing = true;
    while (this.isStale) {
      this.isStale = false;
      this.drawState(this.store.current);
    }
    this.isDrawing = false;
  }

  private drawState(state: PageState): void {
    const { session, view } = state;
    if (session === undefined) return;
    document.body.hidden = false;
    const { menu, marks, post } = this.actions;
    menu.render(session);
    marks.render(session);
    const shown = shownTab(session, view.tab);
    this.openedTabs.add(shown);
    render(
      html`<main>
        <p class="spoken" role="status">${this.announcement}</p>
        ${marks.element} ${header(session, post)}
        ${tabs(this.allTabs(session, state), shown, (tab) => this.actions.choose({ tab }))}
        ${menu.picked.element}
      </main>`,
      document.body,
    );
    this.drawn = shown;
  }

  private allTabs(
    session: InspectorState,
    { view, messages, compactions: answers, whatIf, facts }: PageState,
  ): readonly Tab[] {
    const { sessionId, chatId, records, messageCount } = session;
    const count = records.length === 0 ? undefined : records.length;
    const titles = inspectorTexts.tabs;
    const tab = (name: TabName, title: string, draw: () => unknown, status: Partial<Tab> = {}): Tab => ({
      name,
      title,
      draw,
      isThere: true,
      isOpened: this.openedTabs.has(name),
      ...status,
    });
    const props = { session, view, page: this.actions };
    return [
      tab('messages', titles.messages, () => messagesTab({ ...props, data: messages }), {
        isThere: messageCount !== undefined,
        count: messageCount,
      }),
      tab('budget', titles.budget, () => {
        const { budget, triggerRefusals } = this.store.current;
        return windowTab({ ...props, budget, refusals: triggerRefusals });
      }),
      tab('timeline', titles.timeline, () => {
        const { view, timeline } = this.store.current;
        return timelineTab({ session, view, page: this.actions, timeline });
      }),
      tab('compactions', titles.compactions, () => keyed(sessionId, compactionsTab({ ...props, answers })), {
        isThere: sessionId === chatId || count !== undefined,
        count,
      }),
      tab('what-if', titles.whatIf, () => whatIfTab({ ...props, answers: whatIf, compactions: answers })),
      tab('ledger', titles.ledger, () => factsTab({ ...props, answers: facts })),
    ];
  }

  /** Moves to the next change or to the previous one, in the diff of the shown tab. */
  private step(by: 1 | -1): void {
    document.querySelector<Diff>(`#panel-${this.drawn} cb-diff`)?.stepBy(by);
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

addStyles(css`
  body {
    --gap: 20px;
    overflow-wrap: break-word;
    @media (max-width: 400px) {
      --gap: 10px;
    }
  }
  main {
    max-width: 1360px;
    margin: auto;
    padding: 10px var(--gap) 32px;
  }
`);

registerControls();
registerDropdowns();
styleKinds();
new InspectorPage(connect<InspectorRequest, typeof inspectorNotifications>(inspectorNotifications)).start();
