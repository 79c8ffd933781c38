import '../shared/base.css';
import '../shared/kinds.css';
import './chat.css';
import './rows.css';
import './record.css';
import './actions.css';
import './changes.css';
import './standing.css';
import './composing.css';
import './hand.css';
import './find.css';
import './pictures/pictures.css';
import './markdown.css';
import {
  type ChatNotification,
  chatNotifications,
  type ChatRequest,
  type ChatState,
  isStreamed,
  type Meter,
} from '../../src/protocol/chat.ts';
import { rowOfMessage } from '../../src/protocol/shown-messages.ts';
import { dispatch, type Handlers } from '../../src/protocol/messages.ts';
import { element, plainButton, setText } from '../shared/dom.ts';
import { connect, type Host, openRows, Remembered } from '../shared/host.ts';
import { icon } from '../shared/icons.ts';
import { styleKinds } from '../shared/kind-looks.ts';
import { progressRing, registerControls } from '../shared/controls.ts';
import { Composer, DraftSender } from './composer/composer.ts';
import { FindBar } from './log/find-bar.ts';
import { placeOf } from './log/find-matches.ts';
import { Log } from './log/log.ts';
import { MeterView } from './standing/meter.ts';
import { PinsView } from './standing/pins-view.ts';
import { PlanView } from './standing/plan-view.ts';
import { CompactionPrompt } from './standing/compaction-prompt.ts';
import { QueueList, WaitingLine } from './standing/waiting-lines.ts';
import { OfflineNote, ReadOnlyBanner, Welcome } from './standing/notices.ts';
import { Pictures } from './pictures/thumbnails.ts';
import { EarlierRows } from './log/earlier-rows.ts';
import { type ScrollAnchor, StickyScroll } from './log/sticky-scroll.ts';
import { strings } from './text/chat-strings.ts';
import { type ChatViewState, parseViewState, SessionCopy } from './chat-state.ts';

/** Milliseconds without scrolling before the position is saved. */
const scrollPause = 200;

/** The chat view: the log at the top, the meter and the composer below it. */
class ChatPage {
  private readonly host: Host<ChatRequest, ChatNotification>;
  private readonly remembered: Remembered<ChatViewState>;
  private readonly session: SessionCopy;
  private readonly drafts: DraftSender;
  private readonly pictures: Pictures;
  private readonly log: Log;
  private readonly welcome: Welcome;
  private readonly offline: OfflineNote;
  private readonly waiting: WaitingLine;
  private readonly plan: PlanView;
  private readonly pins: PinsView;
  private readonly find: FindBar;
  private readonly meter: MeterView;
  private readonly proposal: CompactionPrompt;
  private readonly queue: QueueList;
  private readonly composer: Composer;
  private readonly readOnly: ReadOnlyBanner;
  private readonly scroller: HTMLElement;
  private readonly scroll: StickyScroll;
  private readonly earlier: EarlierRows;
  private readonly restricted: HTMLElement;
  private readonly activity = element('span');
  private readonly activityLine: HTMLElement;
  /** Id of the displayed session. It differs from the id in `session` while a snapshot arrives. */
  private shownSession: string | undefined;
  private wantsFocus = false;
  /** A position to return to when the requested rows arrive. */
  private awaitedPlace: ScrollAnchor | undefined;
  /** Handle of the requested animation frame. */
  private nextFrame: number | undefined;
  /** The meter at the last request for a message's price. */
  private pricedMeter: Meter | undefined;

  private readonly handlers: Handlers<typeof chatNotifications> = {
    snapshot: (snapshot) => {
      const wasLoading = this.session.state?.isLoading === true;
      if (!this.session.receive(snapshot)) return;
      if (wasLoading && snapshot.state.sessionId === this.shownSession) this.drawWhole();
      else this.draw();
    },
    changes: (changes) => {
      if (!this.session.receive(changes)) return;
      if (changes.changes.every(isStreamed)) this.drawNextFrame();
      else if (changes.changes.some(({ type }) => type === 'earlier')) this.drawEarlier();
      else {
        this.letGoOfOld();
        this.draw();
      }
    },
    'tool-output': ({ id, text }) => this.log.showToolOutput(id, text),
    record: ({ recordId, details }) => this.log.showRecord(recordId, details),
    price: (price) => this.composer.showPrice(price),
    completions: (completions) => this.composer.showCompletions(completions),
    'not-sent': ({ text }) => this.putBack(text),
    reveal: ({ messageId }) => this.log.reveal(rowOfMessage(this.session.state?.rows ?? [], messageId)),
    'other-sessions': ({ found }) => this.welcome.showFound(found),
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
    this.remembered = new Remembered(host, parseViewState(host.getState()));
    this.session = new SessionCopy(() => post({ type: 'ready' }));
    this.drafts = new DraftSender((sessionId, text) => post({ type: 'draft', sessionId, text }));
    const open = openRows(
      () => this.remembered.current.open,
      (rows) => this.remembered.update({ open: rows }),
    );
    this.pictures = new Pictures(post);
    this.log = new Log({
      post,
      pictures: this.pictures,
      open,
      edited: {
        textOf: (messageId) => {
          const { edited } = this.remembered.current;
          return edited?.messageId === messageId ? edited.text : undefined;
        },
        set: (messageId, text) => {
          this.remembered.update({ edited: text === undefined ? undefined : { messageId, text } });
        },
      },
    });
    this.waiting = new WaitingLine((id) => this.log.focusApproval(id));
    this.plan = new PlanView(open);
    this.pins = new PinsView({ post, open, onShow: (key) => this.showRow(key) });
    this.queue = new QueueList(post);
    this.meter = new MeterView(post);
    this.composer = new Composer({
      post,
      pictures: this.pictures,
      onInput: (text) => this.draftChanged(text),
      onBlur: () => this.drafts.flush(),
      onSend: (text) => this.send(text),
    });
    this.readOnly = new ReadOnlyBanner(post);
    this.proposal = new CompactionPrompt(post, () => this.composer.focus());
    this.find = new FindBar({
      rows: () => this.log.views(),
      onShow: (range) => this.scroll.reveal(placeOf(range, this.scroller)),
      giveFocus: () => this.composer.focus(),
      onOpen: (isOpen) => this.earlier.fetchAll(isOpen),
    });
    this.welcome = new Welcome(post, (text) => this.send(text));
    this.offline = new OfflineNote(post);
    this.restricted = element(
      'div',
      { class: 'notice', role: 'note', hidden: true },
      icon('warning'),
      element('span', {}, strings.restricted),
    );
    this.activityLine = element('div', { class: 'activity', role: 'status' }, progressRing(), this.activity);
    const content = element(
      'div',
      { class: 'content' },
      this.offline.element,
      this.welcome.element,
      this.log.element,
      this.activityLine,
    );
    this.scroller = element('div', { class: 'scroller' }, content);
    this.earlier = new EarlierRows({
      post,
      scroller: this.scroller,
      giveFocus: () => this.log.focusFirst(),
    });
    this.log.element.before(this.earlier.element);
    const jump = plainButton(
      { class: 'jump', hidden: true },
      () => this.scroll.follow(),
      icon('down'),
      strings.jumpToLatest,
    );
    // Hidden, because an empty page would be visible before the first snapshot.
    document.body.hidden = true;
    document.body.append(
      element(
        'main',
        { class: 'conversation' },
        element('h1', { class: 'spoken' }, strings.conversation),
        this.find.element,
        this.restricted,
        this.scroller,
        jump,
      ),
      element(
        'section',
        { class: 'bottom', 'aria-label': strings.composer },
        element(
          'div',
          { class: 'standing' },
          this.log.selectionBar,
          this.waiting.element,
          this.plan.element,
          this.pins.element,
          this.meter.element,
          this.proposal.element,
          this.queue.element,
        ),
        this.readOnly.element,
        this.composer.element,
      ),
    );
    this.scroll = new StickyScroll(this.scroller, content, (isFollowing) => {
      jump.hidden = isFollowing;
    });
    this.savePlaceOn(this.scroller);
  }

  /** Requests the state from the host, and follows its changes. */
  start(): void {
    this.host.onNotification((notification) => dispatch(this.handlers, notification));
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.drafts.flush();
    });
    window.addEventListener('pagehide', () => this.drafts.flush());
    document.addEventListener('keydown', (event) => this.keyPressed(event));
    this.session.refresh();
  }

  private draw(): void {
    cancelAnimationFrame(this.nextFrame ?? 0);
    this.nextFrame = undefined;
    if (this.session.state !== undefined) this.render(this.session.state);
  }

  /** Adds earlier rows without moving the visible ones. */
  private drawEarlier(): void {
    const anchor = this.awaitedPlace ?? this.scroll.anchor((top) => this.log.firstBelow(top));
    this.draw();
    const row = anchor === undefined ? undefined : this.log.find(anchor.row);
    if (anchor === undefined || row === undefined) return;
    this.awaitedPlace = undefined;
    this.scroll.restore(row, anchor.offset);
  }

  /** Draws the whole chat, after only its end was shown. */
  private drawWhole(): void {
    this.drawEarlier();
    if (this.awaitedPlace !== undefined) this.askForPlace(this.awaitedPlace);
  }

  /** Discards old rows while the user is at the end of the log, because they cost time and memory. */
  private letGoOfOld(): void {
    if (!this.scroll.isFollowing || this.find.isOpen || this.log.isInUse) return;
    const first = this.session.letGoOfOld();
    if (first !== undefined) this.host.post({ type: 'rows-let-go', first });
  }

  /** Draws once per frame. Streamed text arrives far more often. */
  private drawNextFrame(): void {
    this.nextFrame ??= requestAnimationFrame(() => this.draw());
  }

  private render(state: ChatState): void {
    const isOtherSession = state.sessionId !== this.shownSession;
    if (isOtherSession) this.enter(state);
    const isEmpty = state.rows.length === 0;
    const isBusy = state.activity !== 'idle';
    document.body.hidden = false;
    this.restricted.hidden = state.isTrusted;
    this.log.element.hidden = isEmpty;
    this.welcome.render(isEmpty, state.model.isOffline);
    this.offline.element.hidden = isEmpty || !state.model.isOffline;
    this.log.setActivity(state.activity);
    this.earlier.render(state.earlier ?? 0, state.isLoading === true);
    this.log.render(state);
    this.waiting.render(state.rows);
    this.plan.render(state.plan);
    this.pins.render(state);
    this.find.changed();
    this.queue.render(state.queue);
    this.activityLine.classList.toggle('is-idle', !isBusy || state.activity === 'approval');
    setText(this.activity, strings.activities[state.activity]);
    this.meter.render(state.meter, state.streamed);
    this.composer.setCommands(state.commands ?? []);
    if (state.meter !== this.pricedMeter) this.composer.priceChanged();
    this.pricedMeter = state.meter;
    this.proposal.render(state);
    this.readOnly.render(state);
    document.body.classList.toggle('is-read-only', state.readOnly !== undefined);
    this.composer.element.hidden = state.readOnly !== undefined;
    document.body.classList.toggle('is-loading', state.isLoading === true);
    this.composer.setLoading(state.isLoading === true);
    this.composer.setBusy(isBusy);
    this.composer.setFooter(state.model, state.strategy);
    if (isOtherSession) this.returnToPlace();
    this.takeFocus();
  }

  private takeFocus(): void {
    if (!this.wantsFocus || this.shownSession === undefined) return;
    this.wantsFocus = false;
    this.composer.focus();
  }

  /** Switches to another session. It begins with the host's state instead of the remembered state. */
  private enter({ sessionId, draft }: ChatState): void {
    this.drafts.flush();
    this.shownSession = sessionId;
    const { current } = this.remembered;
    const isRemembered = current.sessionId === sessionId;
    if (!isRemembered) {
      this.remembered.update({ sessionId, draft: '', open: [], edited: undefined, anchor: undefined });
    }
    this.plan.enter();
    this.pins.enter();
    this.find.close();
    this.composer.text = isRemembered && current.draft !== '' ? current.draft : draft;
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
    const { anchor } = this.remembered.current;
    const row = anchor === undefined ? undefined : this.log.find(anchor.row);
    if (anchor !== undefined && row !== undefined) this.scroll.restore(row, anchor.offset);
    else this.scroll.follow();
    this.awaitedPlace = row === undefined ? anchor : undefined;
    if (this.awaitedPlace !== undefined) this.askForPlace(this.awaitedPlace);
  }

  private askForPlace({ row }: ScrollAnchor): void {
    this.earlier.ask(row.replace(/^[^:]*:/, ''));
  }

  private savePlaceOn(scroller: HTMLElement): void {
    let timer: number | undefined;
    const save = () => {
      window.clearTimeout(timer);
      timer = undefined;
      const anchor = this.scroll.anchor((top) => this.log.firstBelow(top));
      if (anchor !== undefined || this.remembered.current.anchor !== undefined) {
        this.remembered.update({ anchor });
      }
    };
    scroller.addEventListener('scroll', () => (timer ??= window.setTimeout(save, scrollPause)), {
      passive: true,
    });
    window.addEventListener('pagehide', save);
  }

  private draftChanged(text: string): void {
    if (this.shownSession === undefined) return;
    this.remembered.update({ draft: text });
    this.drafts.changed(this.shownSession, text);
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
