import '../shared/base.css';
import '../shared/kinds.css';
import './chat.css';
import './rows.css';
import './markdown.css';
import { html, nothing, render, type TemplateResult } from 'lit';
import { guard } from 'lit/directives/guard.js';
import {
  type ChatNotification,
  chatNotifications,
  type ChatRequest,
  type ChatState,
  isStreamed,
} from '../../src/protocol/chat.ts';
import { rowOfMessage } from '../../src/protocol/shown-messages.ts';
import { dispatch, type Handlers } from '../../src/protocol/messages.ts';
import { registerControls } from '../shared/controls.ts';
import { connect, type Host, openRows } from '../shared/host.ts';
import { styleKinds } from '../shared/kind-looks.ts';
import { Store } from '../shared/store.ts';
import { type ChatViewState, parseViewState, SessionCopy } from './state/chat-state.ts';
import { Composer, DraftSender } from './composer/composer.ts';
import { EarlierRows } from './log/earlier-rows.ts';
import { FindBar } from './log/find-bar.ts';
import { placeOf } from './log/find-matches.ts';
import { Log } from './log/log.ts';
import { type ScrollAnchor, StickyScroll } from './log/sticky-scroll.ts';
import type { ChatActions, ChatPageState } from './state/chat-page-state.ts';
import { Pictures } from './pictures/thumbnails.ts';
import { compactionPrompt } from './standing/compaction-prompt.ts';
import { meterView } from './standing/meter.ts';
import {
  activityLine,
  jumpButton,
  offlineNote,
  readOnlyBanner,
  restrictedNote,
  welcome,
} from './standing/notices.ts';
import { pinsView } from './standing/pins-view.ts';
import { planView } from './standing/plan-view.ts';
import { queueList, waitingLine } from './standing/waiting-lines.ts';
import { strings } from './text/chat-strings.ts';

/** Milliseconds without scrolling before the position is saved. */
const scrollPause = 200;

/** The chat view: the log at the top, the meter and the composer below it. */
class ChatPage {
  private readonly host: Host<ChatRequest, ChatNotification>;
  private readonly store: Store<ChatPageState>;
  private readonly actions: ChatActions;
  /** The newest state. The store has it from the next drawing on. */
  private readonly copy: SessionCopy;
  private readonly drafts: DraftSender;
  private readonly pictures: Pictures;
  private readonly log: Log;
  private readonly find: FindBar;
  private readonly composer: Composer;
  private readonly content = document.createElement('div');
  private readonly scroller = document.createElement('div');
  private readonly scroll: StickyScroll;
  private readonly earlier: EarlierRows;
  private isDrawing = false;
  private hasLookedForSessions = false;
  private wantsFocus = false;
  /** A position to return to when the requested rows arrive. */
  private awaitedPlace: ScrollAnchor | undefined;
  /** Handle of the requested animation frame. */
  private nextFrame: number | undefined;

  private readonly handlers: Handlers<typeof chatNotifications> = {
    snapshot: (snapshot) => {
      const before = this.store.current.session;
      if (!this.copy.receive(snapshot)) return;
      if (before?.isLoading === true && snapshot.state.sessionId === before.sessionId) this.receiveWhole();
      else this.receive();
    },
    changes: (changes) => {
      if (!this.copy.receive(changes)) return;
      if (changes.changes.every(isStreamed)) this.receiveNextFrame();
      else if (changes.changes.some(({ type }) => type === 'earlier')) this.receiveEarlier();
      else {
        this.letGoOfOld();
        this.receive();
      }
    },
    'tool-output': ({ id, text }) => this.log.showToolOutput(id, text),
    record: ({ recordId, details }) => this.log.showRecord(recordId, details),
    price: (price) => this.composer.showPrice(price),
    completions: (completions) => this.composer.showCompletions(completions),
    'not-sent': ({ text }) => this.putBack(text),
    reveal: ({ messageId }) => this.log.reveal(rowOfMessage(this.copy.state?.rows ?? [], messageId)),
    'other-sessions': ({ found }) => this.store.update({ sessions: { found } }),
    picture: ({ key, url }) => this.pictures.receive(key, url),
    insert: ({ text }) => this.composer.insert(text),
    'act-on-row': ({ action }) => this.log.actOnFocused(action),
    focus: () => {
      this.wantsFocus = true;
      this.takeFocus();
    },
  };

  constructor(host: Host<ChatRequest, ChatNotification>) {
    this.host = host;
    const post = (request: ChatRequest) => host.post(request);
    const view = parseViewState(host.getState());
    this.store = new Store<ChatPageState>({
      session: undefined,
      view,
      isFollowing: true,
      sessions: undefined,
    });
    this.copy = new SessionCopy(() => post({ type: 'ready' }));
    this.drafts = new DraftSender((sessionId, text) => post({ type: 'draft', sessionId, text }));
    this.actions = {
      post,
      open: openRows(
        () => this.store.current.view.open,
        (open) => this.remember({ open }),
      ),
      send: (text) => this.send(text),
      showRow: (key) => this.showRow(key),
    };
    this.pictures = new Pictures(post);
    this.log = new Log(
      {
        post,
        pictures: this.pictures,
        open: this.actions.open,
        edited: {
          textOf: (messageId) => {
            const { edited } = this.store.current.view;
            return edited?.messageId === messageId ? edited.text : undefined;
          },
          set: (messageId, text) =>
            this.remember({ edited: text === undefined ? undefined : { messageId, text } }),
        },
      },
      this.scroller,
    );
    this.composer = new Composer();
    this.composer.props = {
      post,
      pictures: this.pictures,
      onInput: (text) => this.draftChanged(text),
      onBlur: () => this.drafts.flush(),
      onSend: (text) => this.send(text),
    };
    this.find = new FindBar();
    this.find.props = {
      rows: () => this.log.views(),
      onShow: (range) => this.scroll.reveal(placeOf(range, this.scroller)),
      giveFocus: () => this.composer.focus(),
      onOpen: (isOpen) => this.earlier.fetchAll(isOpen),
    };
    this.content.className = 'content';
    this.scroller.className = 'scroller';
    this.scroller.append(this.content);
    this.earlier = new EarlierRows();
    this.earlier.props = { post, scroller: this.scroller, giveFocus: () => this.log.focusFirst() };
    this.scroll = new StickyScroll(this.scroller, this.content, (isFollowing) =>
      this.store.update({ isFollowing }),
    );
    this.savePlaceOn(this.scroller);
    this.store.subscribe((state, before) => {
      if (state.view !== before.view) host.setState(state.view);
      const isSame =
        state.session === before.session &&
        state.view.open === before.view.open &&
        state.isFollowing === before.isFollowing &&
        state.sessions === before.sessions;
      if (!isSame) this.draw();
    });
    // Hidden, because an empty page would be visible before the first snapshot.
    document.body.hidden = true;
  }

  /** Requests the state from the host, and follows its changes. */
  start(): void {
    this.host.onNotification((notification) => dispatch(this.handlers, notification));
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.drafts.flush();
    });
    window.addEventListener('pagehide', () => this.drafts.flush());
    document.addEventListener('keydown', (event) => this.keyPressed(event));
    this.copy.refresh();
  }

  /** Shows the newest state. */
  private receive(): void {
    cancelAnimationFrame(this.nextFrame ?? 0);
    this.nextFrame = undefined;
    const session = this.copy.state;
    if (session === undefined) return;
    const before = this.store.current.session;
    const isOther = session.sessionId !== before?.sessionId;
    const view = isOther ? this.enter(session) : this.store.current.view;
    this.store.update({ session, view });
    this.find.changed();
    if (before !== undefined && session.meter !== before.meter) this.composer.priceChanged();
    if (isOther) this.returnToPlace();
    this.takeFocus();
  }

  /** Adds earlier rows without moving the visible ones. */
  private receiveEarlier(): void {
    const anchor = this.awaitedPlace ?? this.scroll.anchor((top) => this.log.firstBelow(top));
    this.receive();
    const row = anchor === undefined ? undefined : this.log.find(anchor.row);
    if (anchor === undefined || row === undefined) return;
    this.awaitedPlace = undefined;
    this.scroll.restore(row, anchor.offset);
  }

  /** Shows the whole chat, after only its end was shown. */
  private receiveWhole(): void {
    this.receiveEarlier();
    if (this.awaitedPlace !== undefined) this.askForPlace(this.awaitedPlace);
  }

  /** Shows the newest state once per frame. Streamed text arrives far more often. */
  private receiveNextFrame(): void {
    this.nextFrame ??= requestAnimationFrame(() => this.receive());
  }

  /** Discards old rows while the user is at the end of the log, because they cost time and memory. */
  private letGoOfOld(): void {
    if (!this.scroll.isFollowing || this.find.isOpen || this.log.isInUse) return;
    const first = this.copy.letGoOfOld();
    if (first !== undefined) this.host.post({ type: 'rows-let-go', first });
  }

  private draw(): void {
    const { session } = this.store.current;
    if (session === undefined || this.isDrawing) return;
    this.isDrawing = true;
    this.drawParts(session);
    const { actions, store } = this;
    const { view, isFollowing, sessions } = store.current;
    const isEmpty = session.rows.length === 0;
    document.body.hidden = false;
    document.body.classList.toggle('is-read-only', session.readOnly !== undefined);
    document.body.classList.toggle('is-loading', session.isLoading === true);
    const { isOffline } = session.model;
    render(
      [
        isOffline && !isEmpty ? offlineNote(actions) : nothing,
        isEmpty ? welcome(isOffline, sessions, actions) : nothing,
        this.earlier,
        this.log.element,
        activityLine(session.activity),
      ],
      this.content,
    );
    render(
      html`<main class="conversation">
          <h1 class="spoken">${strings.conversation}</h1>
          ${this.find} ${session.isTrusted ? nothing : restrictedNote()} ${this.scroller}
          ${isFollowing ? nothing : jumpButton(() => this.scroll.follow())}
        </main>
        <section class="bottom" aria-label=${strings.composer}>
          ${this.standing(session, view)} ${readOnlyBanner(session.readOnly, actions)} ${this.composer}
        </section>`,
      document.body,
    );
    this.isDrawing = false;
    // The computer is searched for sessions only if the chat is new.
    if (isEmpty && !this.hasLookedForSessions) this.host.post({ type: 'look-for-sessions' });
    this.hasLookedForSessions ||= isEmpty;
  }

  /** The lines above the composer. */
  private standing(session: ChatState, { open }: ChatViewState): TemplateResult {
    const { meter, streamed = 0, plan, pins, pinTexts, earlier, queue, proposal, strategies } = session;
    const { actions } = this;
    return html`<div class="standing">
      ${this.log.selectionBar} ${waitingLine({ rows: session.rows, onShow: this.showApproval })}
      ${guard([plan, open], () => planView(plan, actions.open))}
      ${guard([pins, pinTexts, earlier, open], () => pinsView(session, actions))}
      ${guard([meter, streamed], () => meterView(meter, streamed, actions.post))}
      ${compactionPrompt({ proposal, meter, strategies, post: actions.post, giveFocus: this.focusComposer })}
      ${guard([queue], () => queueList(queue, actions))}
    </div>`;
  }

  /** Draws the parts that are not templates. */
  private drawParts(session: ChatState): void {
    const { activity, isLoading = false, rows } = session;
    this.log.element.hidden = rows.length === 0;
    this.log.setActivity(activity);
    this.earlier.show(session.earlier ?? 0, isLoading);
    this.log.render(session);
    this.composer.hidden = session.readOnly !== undefined;
    this.composer.props = {
      ...this.composer.props,
      isBusy: activity !== 'idle',
      isLoading,
      model: session.model,
      strategyId: session.strategy,
      commands: session.commands,
    };
  }

  private readonly showApproval = (id: string) => {
    const row = this.log.find(`tool:${id}`);
    if (row !== undefined) this.scroll.reveal(row);
    this.log.focusApproval(id);
  };
  private readonly focusComposer = () => this.composer.focus();

  private takeFocus(): void {
    if (!this.wantsFocus || this.store.current.session === undefined) return;
    this.wantsFocus = false;
    this.composer.focus();
  }

  /** Prepares the page for another session. It begins with the host's state instead of the remembered state. */
  private enter({ sessionId, draft }: ChatState): ChatViewState {
    this.drafts.flush();
    const { view } = this.store.current;
    const isRemembered = view.sessionId === sessionId;
    this.find.close();
    this.composer.text = isRemembered && view.draft !== '' ? view.draft : draft;
    return isRemembered ? view : { sessionId, draft: '', open: [] };
  }

  private showRow(key: string): void {
    const row = this.log.find(key);
    if (row === undefined) return;
    this.scroll.reveal(row);
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
  }

  private keyPressed(event: KeyboardEvent): void {
    if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey)) return;
    if (event.shiftKey || event.altKey) return;
    // Otherwise, VS Code around the page would also search.
    event.preventDefault();
    event.stopPropagation();
    this.find.open();
  }

  private returnToPlace(): void {
    const { anchor } = this.store.current.view;
    const row = anchor === undefined ? undefined : this.log.find(anchor.row);
    if (anchor !== undefined && row !== undefined) this.scroll.restore(row, anchor.offset);
    else this.scroll.follow();
    this.awaitedPlace = row === undefined ? anchor : undefined;
    if (this.awaitedPlace !== undefined) this.askForPlace(this.awaitedPlace);
  }

  private askForPlace({ row }: ScrollAnchor): void {
    this.earlier.ask(row.replace(/^[^:]*:/, ''));
  }

  private remember(change: Partial<ChatViewState>): void {
    this.store.update({ view: { ...this.store.current.view, ...change } });
  }

  private savePlaceOn(scroller: HTMLElement): void {
    let timer: number | undefined;
    const save = () => {
      window.clearTimeout(timer);
      timer = undefined;
      const anchor = this.scroll.anchor((top) => this.log.firstBelow(top));
      if (anchor !== undefined || this.store.current.view.anchor !== undefined) this.remember({ anchor });
    };
    scroller.addEventListener('scroll', () => (timer ??= window.setTimeout(save, scrollPause)), {
      passive: true,
    });
    window.addEventListener('pagehide', save);
  }

  private draftChanged(text: string): void {
    const { session } = this.store.current;
    if (session === undefined) return;
    this.remember({ draft: text });
    this.drafts.changed(session.sessionId, text);
  }

  /** Puts unaccepted text into the composer, before newer text. */
  private putBack(text: string): void {
    const since = this.composer.text;
    this.composer.fill(since === '' ? text : `${text}\n\n${since}`);
  }

  private send(text: string): void {
    this.draftChanged('');
    this.drafts.flush();
    this.host.post({ type: 'send', text });
    this.log.resetStop();
    this.scroll.follow();
  }
}

registerControls();
styleKinds();
new ChatPage(connect<ChatRequest, typeof chatNotifications>(chatNotifications)).start();
