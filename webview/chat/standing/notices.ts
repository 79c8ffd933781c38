import { render } from 'lit';
import type { ChatRequest, ChatState } from '../../../src/protocol/chat.ts';
import { controlButton } from '../../shared/controls.ts';
import { element, KeyedList, plainButton, setText } from '../../shared/dom.ts';
import { strings } from '../text/chat-strings.ts';
import { firstSession } from './first-session.ts';

const words = strings.welcome;

/** The welcome in an empty conversation. */
export class Welcome {
  readonly element: HTMLElement;
  private readonly title = element('h2');
  private readonly text = element('p');
  private readonly setKey: HTMLElement;
  private readonly first = element('div');
  private readonly ways: HTMLElement;
  private readonly post: (request: ChatRequest) => void;
  private hasAsked = false;
  private readonly examples: KeyedList<string>;

  /** @param onExample called with the text of the chosen example */
  constructor(post: (request: ChatRequest) => void, onExample: (text: string) => void) {
    this.post = post;
    const list = element('ul', { 'aria-label': words.examplesLabel });
    this.setKey = controlButton(
      { appearance: 'secondary', onClick: () => post({ type: 'set-api-key' }) },
      words.setApiKey,
    );
    this.examples = new KeyedList<string>(list, {
      keyOf: (text) => text,
      create: (text) => ({
        element: element(
          'li',
          {},
          plainButton({ class: 'example' }, () => onExample(text), text),
        ),
        update: () => {},
      }),
    });
    this.ways = element(
      'p',
      { class: 'ways', hidden: true },
      plainButton({ class: 'link' }, () => post({ type: 'open-sample-session' }), words.openSample),
      plainButton({ class: 'link' }, () => post({ type: 'open-transcript' }), words.openOther),
    );
    this.element = element(
      'section',
      { class: 'welcome' },
      this.first,
      this.title,
      this.text,
      this.setKey,
      list,
      this.ways,
    );
  }

  /** Begins with the sessions of other agents on this computer; without any, with the sample. */
  showFound(found: string | undefined): void {
    render(firstSession({ found, post: this.post }), this.first);
    this.ways.hidden = found === undefined;
  }

  /** @param isShown false for a chat with messages */
  render(isShown: boolean, isOffline: boolean): void {
    this.element.hidden = !isShown;
    // The computer is searched for sessions only if the chat is new.
    if (isShown && !this.hasAsked) this.post({ type: 'look-for-sessions' });
    this.hasAsked ||= isShown;
    setText(this.title, isOffline ? words.offlineTitle : words.title);
    setText(this.text, isOffline ? words.offline : words.intro);
    this.setKey.hidden = !isOffline;
    this.examples.render(Object.values(isOffline ? words.offlineExamples : words.examples));
  }
}

/** Says at the beginning of a chat what the offline model is. */
export class OfflineNote {
  readonly element: HTMLElement;

  constructor(post: (request: ChatRequest) => void) {
    this.element = element(
      'p',
      { class: 'offline-note', role: 'note' },
      strings.offlineNote,
      ' ',
      plainButton({ class: 'link' }, () => post({ type: 'set-api-key' }), words.setApiKey),
    );
  }
}

const readOnlyWords = strings.readOnly;

/** Replaces the composer in a read-only chat. Shows the reason and the possible actions. */
export class ReadOnlyBanner {
  readonly element: HTMLElement;
  private readonly reason = element('span', { role: 'status' });
  private readonly choices: HTMLElement;

  constructor(post: (request: ChatRequest) => void) {
    this.choices = element(
      'span',
      { class: 'choices' },
      plainButton({ class: 'link' }, () => post({ type: 'take-over' }), readOnlyWords.takeOver),
      plainButton({ class: 'link' }, () => post({ type: 'fork' }), readOnlyWords.fork),
    );
    // A live region must be on the page before it gets text.
    this.element = element('div', { class: 'read-only' }, this.reason, this.choices);
  }

  render({ readOnly }: ChatState): void {
    this.element.classList.toggle('is-shown', readOnly !== undefined);
    this.choices.hidden = readOnly?.reason !== 'other-window';
    setText(this.reason, reasonOf(readOnly));
  }
}

function reasonOf(readOnly: ChatState['readOnly']): string {
  if (readOnly === undefined) return '';
  return readOnly.reason === 'newer-version'
    ? readOnlyWords.newerVersion
    : readOnly.window === ''
      ? readOnlyWords.otherWindow
      : readOnlyWords.namedWindow({ name: readOnly.window });
}
