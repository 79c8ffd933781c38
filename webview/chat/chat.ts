import type { ChatNotification, ChatRequest, ChatState } from '../../src/extension/protocol/chat.ts';
import { element, plainButton, setText } from '../dom.ts';
import type { Host } from '../host.ts';
import { icon } from '../icons.ts';
import { openRows, Remembered } from '../remembered.ts';
import { progressRing } from '../toolkit.ts';
import { Composer } from './composer.ts';
import { DraftSender } from './draft.ts';
import { Log } from './log.ts';
import { MeterView } from './meter.ts';
import { ProposalView } from './proposal.ts';
import { Session } from './session.ts';
import { StickyScroll } from './sticky-scroll.ts';
import { strings } from './strings.ts';
import { type ChatViewState, parseViewState } from './view-state.ts';
import { Welcome } from './welcome.ts';

/** Time without scrolling after which the place is saved, in milliseconds. */
const scrollPause = 200;

/** The chat view: the log above, the meter and the composer below. */
export class Chat {
  private readonly host: Host<ChatRequest, ChatNotification>;
  private readonly remembered: Remembered<ChatViewState>;
  private readonly session: Session;
  private readonly drafts: DraftSender;
  private readonly log: Log;
  private readonly welcome: Welcome;
  private readonly meter: MeterView;
  private readonly proposal: ProposalView;
  private readonly composer: Composer;
  private readonly scroll: StickyScroll;
  private readonly restricted: HTMLElement;
  private readonly activity = element('span');
  private readonly activityLine: HTMLElement;
  /** The session that is on the page; another one than the session's for a moment while a snapshot comes in. */
  private shownSession: string | undefined;
  private wantsFocus = false;

  constructor(host: Host<ChatRequest, ChatNotification>) {
    this.host = host;
    const post = (request: ChatRequest) => host.post(request);
    this.remembered = new Remembered(host, parseViewState(host.getState()));
    this.session = new Session(() => post({ type: 'ready' }));
    this.drafts = new DraftSender((sessionId, text) => post({ type: 'draft', sessionId, text }));
    const open = openRows(
      () => this.remembered.current.open,
      (rows) => this.remembered.update({ open: rows }),
    );
    this.log = new Log({ post, open });
    this.meter = new MeterView(post);
    this.composer = new Composer({
      post,
      onInput: (text) => this.draftChanged(text),
      onBlur: () => this.drafts.flush(),
      onSend: (text) => this.send(text),
    });
    this.proposal = new ProposalView(post, () => this.composer.focus());
    this.welcome = new Welcome(post, (text) => this.composer.fill(text));
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
      this.welcome.element,
      this.log.element,
      this.activityLine,
    );
    const scroller = element('div', { class: 'scroller' }, content);
    const jump = plainButton(
      { class: 'jump', hidden: true },
      () => this.scroll.follow(),
      icon('down'),
      strings.jumpToLatest,
    );
    // An empty shell would flash up before the first snapshot.
    document.body.hidden = true;
    document.body.append(
      element('div', { class: 'conversation' }, this.restricted, scroller, jump),
      element('div', { class: 'bottom' }, this.meter.element, this.proposal.element, this.composer.element),
    );
    this.scroll = new StickyScroll(scroller, content, (isFollowing) => {
      jump.hidden = isFollowing;
    });
    this.savePlaceOn(scroller);
  }

  /** Asks the host for the state and follows it from there. */
  start(): void {
    this.host.onNotification((notification) => this.receive(notification));
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') this.drafts.flush();
    });
    window.addEventListener('pagehide', () => this.drafts.flush());
    this.session.refresh();
  }

  private receive(notification: ChatNotification): void {
    switch (notification.type) {
      case 'snapshot':
      case 'changes':
        if (this.session.receive(notification) && this.session.state !== undefined) {
          this.render(this.session.state);
        }
        break;
      case 'tool-output':
        this.log.showToolOutput(notification.id, notification.text);
        break;
      case 'not-sent':
        this.putBack(notification.text);
        break;
      case 'focus':
        this.wantsFocus = true;
        this.takeFocus();
    }
  }

  private render(state: ChatState): void {
    const isOtherSession = state.sessionId !== this.shownSession;
    if (isOtherSession) this.enter(state);
    const isEmpty = state.rows.length === 0;
    const isBusy = state.activity !== 'idle';
    document.body.hidden = false;
    this.restricted.hidden = state.isTrusted;
    this.welcome.element.hidden = !isEmpty;
    this.log.element.hidden = isEmpty;
    this.welcome.render(state.model.isOffline);
    this.log.setBusy(state.activity === 'streaming');
    this.log.render(state.rows);
    this.activityLine.classList.toggle('is-idle', !isBusy);
    setText(this.activity, strings.activities[state.activity]);
    this.meter.render(state.meter);
    this.proposal.render(state);
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

  /** What the view remembers belongs to one session; for any other one it starts with what the host has. */
  private enter({ sessionId, draft }: ChatState): void {
    this.drafts.flush();
    this.shownSession = sessionId;
    const { current } = this.remembered;
    const isRemembered = current.sessionId === sessionId;
    if (!isRemembered) this.remembered.update({ sessionId, draft: '', open: [], anchor: undefined });
    this.composer.text = isRemembered && current.draft !== '' ? current.draft : draft;
  }

  private returnToPlace(): void {
    const { anchor } = this.remembered.current;
    const row = anchor === undefined ? undefined : this.log.find(anchor.row);
    if (anchor !== undefined && row !== undefined) this.scroll.restore(row, anchor.offset);
    else this.scroll.follow();
  }

  private savePlaceOn(scroller: HTMLElement): void {
    let timer: number | undefined;
    const save = () => {
      window.clearTimeout(timer);
      timer = undefined;
      const rows = this.log.element.children as Iterable<Element> as Iterable<HTMLElement>;
      const anchor = this.scroll.anchor(rows);
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

  /** A text that was not taken stands before whatever was written since. */
  private putBack(text: string): void {
    const since = this.composer.text;
    this.composer.fill(since === '' ? text : `${text}\n\n${since}`);
  }

  private send(text: string): void {
    this.draftChanged('');
    this.drafts.flush();
    this.host.post({ type: 'send', text });
    this.scroll.follow();
  }
}
