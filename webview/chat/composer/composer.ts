import type { MessageOf } from '../../../src/protocol/messages.ts';
import type {
  chatNotifications,
  ChatRequest,
  CommandView,
  ModelInfo,
  Price,
} from '../../../src/protocol/chat.ts';
import { type Control, controlButton } from '../../shared/controls.ts';
import {
  element,
  freshId,
  intentOf,
  plainButton,
  setAttribute,
  setText,
  hasFocus,
} from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { titleOfStrategy } from '../../shared/compaction-words.ts';
import { strings } from '../text/chat-strings.ts';
import type { Pictures } from '../pictures/thumbnails.ts';
import { Completer } from './completer.ts';
import { takeDrops, takePastes } from './incoming-files.ts';
import { PriceLine } from './price-line.ts';

interface ComposerOptions {
  readonly post: (request: ChatRequest) => void;
  readonly pictures: Pictures;
  /** Called when the user changes the text. */
  readonly onInput: (text: string) => void;
  readonly onBlur: () => void;
  /** Called with the text to send. */
  readonly onSend: (text: string) => void;
}

/** The field for new messages. */
export class Composer {
  readonly element: HTMLElement;
  private readonly options: ComposerOptions;
  private readonly input: HTMLTextAreaElement;
  private readonly completer: Completer;
  private readonly price: PriceLine;
  private readonly hint: HTMLElement;
  private readonly model: HTMLElement;
  private readonly offlineModel: HTMLButtonElement;
  private readonly strategy: HTMLButtonElement;
  private readonly stop: Control;
  private readonly sendButton: Control;
  private isBusy = false;
  private isLoading = false;

  constructor(options: ComposerOptions) {
    const { post } = options;
    this.options = options;
    const hintId = freshId();
    const numbersId = freshId();
    this.price = new PriceLine();
    this.price.props = {
      numbersId,
      post,
      pictures: options.pictures,
      onRemove: (word) => this.remove(word),
    };
    this.input = element('textarea', {
      rows: 2,
      placeholder: strings.placeholder,
      'aria-label': strings.composer,
      'aria-describedby': `${hintId} ${numbersId}`,
      spellcheck: 'true',
    });
    this.completer = new Completer(this.input, post);
    this.hint = element('p', { id: hintId, class: 'hint', hidden: true }, strings.busyHint);
    this.model = plainButton({ class: 'foot-item' }, () => post({ type: 'select-model' }));
    this.offlineModel = plainButton(
      { class: 'foot-item', 'aria-label': strings.offlineModelLabel },
      () => post({ type: 'set-api-key' }),
      strings.offlineModel,
    );
    this.strategy = plainButton({ class: 'foot-item' }, () => post({ type: 'select-strategy' }));
    const attach = controlButton(
      { appearance: 'icon', label: strings.pictures.attach, onClick: () => post({ type: 'pick-pictures' }) },
      icon('picture'),
    );
    attach.title = strings.pictures.attach;
    this.stop = controlButton(
      { appearance: 'secondary', label: strings.stop, onClick: () => post({ type: 'stop' }) },
      icon('stop'),
    );
    this.stop.classList.add('stop');
    this.stop.title = strings.stop;
    this.sendButton = controlButton(
      { appearance: 'primary', label: strings.send, onClick: () => this.submit() },
      icon('send'),
    );
    this.sendButton.classList.add('send');
    this.sendButton.title = strings.send;
    this.element = element(
      'div',
      { class: 'composer' },
      this.completer.element,
      this.input,
      this.price,
      this.hint,
      element(
        'div',
        { class: 'foot' },
        this.model,
        this.offlineModel,
        this.strategy,
        element('span', { class: 'foot-buttons' }, attach, this.stop, this.sendButton),
      ),
    );
    this.input.addEventListener('input', () => this.typed());
    this.input.addEventListener('blur', () => options.onBlur());
    this.input.addEventListener('keydown', (event) => this.keyPressed(event));
    takeDrops(this.element, post);
    takePastes(this.input, post);
    // A click next to the text focuses the text.
    this.element.addEventListener('mousedown', (event) => {
      if (event.target !== this.element) return;
      event.preventDefault();
      this.focus();
    });
    this.stop.hidden = true;
    this.refresh();
  }

  get text(): string {
    return this.input.value;
  }

  set text(text: string) {
    this.input.value = text;
    this.completer.close();
    this.refresh();
  }

  focus(): void {
    this.input.focus();
  }

  /** Inserts text as if the user had typed it. */
  fill(text: string): void {
    this.input.value = text;
    this.typed();
    this.focus();
  }

  /** Inserts a word at the cursor, with spaces around it where needed. */
  insert(word: string): void {
    const { value, selectionStart, selectionEnd } = this.input;
    const before = value.slice(0, selectionStart);
    const after = value.slice(selectionEnd);
    const left = before === '' || /\s$/.test(before) ? '' : ' ';
    const right = /^\s/.test(after) ? '' : ' ';
    this.input.value = `${before}${left}${word}${right}${after}`;
    const cursor = before.length + left.length + word.length + 1;
    this.input.setSelectionRange(cursor, cursor);
    this.typed();
    this.completer.close();
    this.focus();
  }

  /** Removes every occurrence of a word from the message. */
  private remove(word: string): void {
    const { value } = this.input;
    this.input.value = value
      .split(word)
      .map((part, index) => (index === 0 ? part : part.replace(/^ /, '')))
      .join('');
    this.typed();
    this.focus();
  }

  /** Sets whether the agent is working. New messages are then queued. */
  setBusy(isBusy: boolean): void {
    if (isBusy === this.isBusy) return;
    this.isBusy = isBusy;
    const hadFocus = hasFocus(this.stop);
    this.stop.hidden = !isBusy;
    if (hadFocus && !isBusy) this.focus();
    this.refresh();
  }

  /** Sets whether the chat is loading. A message can then be written but not sent. */
  setLoading(isLoading: boolean): void {
    if (isLoading === this.isLoading) return;
    this.isLoading = isLoading;
    setText(this.hint, isLoading ? strings.loadingHint : strings.busyHint);
    this.refresh();
  }

  setFooter(model: ModelInfo, strategyId: string): void {
    const strategy = titleOfStrategy(strategyId);
    this.model.hidden = model.isOffline;
    this.offlineModel.hidden = !model.isOffline;
    setText(this.model, model.label);
    setAttribute(this.model, 'aria-label', strings.modelLabel({ model: model.label }));
    setAttribute(this.model, 'title', strings.modelLabel({ model: model.label }));
    setText(this.strategy, strategy);
    setAttribute(this.strategy, 'aria-label', strings.strategyLabel({ strategy }));
  }

  setCommands(commands: readonly CommandView[]): void {
    this.completer.setCommands(commands);
  }

  /** Requests the price again after the conversation has changed. */
  priceChanged(): void {
    this.price.refresh();
  }

  /** Shows the price of the typed text, as the host computed it. */
  showPrice(price: Price): void {
    this.price.receive(price);
  }

  showCompletions({ trigger, query, items }: MessageOf<typeof chatNotifications, 'completions'>): void {
    this.completer.receive(trigger, query, items);
  }

  private refresh(): void {
    const isBlank = this.input.value.trim() === '';
    this.sendButton.disabled = isBlank || this.isLoading;
    this.hint.hidden = !(this.isBusy || this.isLoading) || isBlank;
    this.price.show(this.isCommand ? '' : this.input.value);
  }

  /** True if the text is a command or the beginning of one, which is not sent to the agent. */
  private get isCommand(): boolean {
    return /^\s*\/[a-z-]*(?:\s|$)/u.test(this.input.value);
  }

  private typed(): void {
    this.refresh();
    this.completer.typed();
    this.options.onInput(this.input.value);
  }

  private keyPressed(event: KeyboardEvent): void {
    if (this.completer.keyPressed(event)) {
      event.preventDefault();
      return;
    }
    const intent = intentOf(event);
    if (intent === 'submit') {
      event.preventDefault();
      this.submit();
    } else if (intent === 'leave' && this.isBusy) {
      event.preventDefault();
      this.options.post({ type: 'stop' });
    }
  }

  private submit(): void {
    const text = this.input.value.trimEnd();
    if (text.trim() === '' || this.isLoading) return;
    this.text = '';
    this.options.onSend(text);
  }
}

/** Milliseconds without typing before a draft is sent to the host. */
const pause = 300;

/** Sends the typed text to the host: soon after typing pauses, and at once if the page may be closed. */
export class DraftSender {
  private readonly send: (sessionId: string, text: string) => void;
  private pending: { readonly sessionId: string; readonly text: string } | undefined;
  private timer: number | undefined;

  constructor(send: (sessionId: string, text: string) => void) {
    this.send = send;
  }

  /** Stores the text to send. A draft of another session must be flushed first. */
  changed(sessionId: string, text: string): void {
    this.pending = { sessionId, text };
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.flush(), pause);
  }

  flush(): void {
    window.clearTimeout(this.timer);
    if (this.pending === undefined) return;
    const { sessionId, text } = this.pending;
    this.pending = undefined;
    this.send(sessionId, text);
  }
}
