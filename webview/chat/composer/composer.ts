import { css, html, nothing, type TemplateResult } from 'lit';
import type { MessageOf } from '../../../src/protocol/messages.ts';
import type {
  chatNotifications,
  ChatRequest,
  CommandView,
  ModelInfo,
  Price,
} from '../../../src/protocol/chat.ts';
import { Component } from '../../shared/component.ts';
import { hasFocus, intentOf } from '../../shared/keyboard.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { titleOfStrategy } from '../../shared/compaction-words.ts';
import { strings } from '../text/chat-strings.ts';
import type { Pictures } from '../pictures/thumbnails.ts';
import { Completer } from './completer.ts';
import { completionList, completionsId } from './completion-list.ts';
import { takeDrops, takePastes } from './incoming-files.ts';
import { numbersId, PriceLine } from './price-line.ts';

interface ComposerProps {
  readonly post: (request: ChatRequest) => void;
  readonly pictures: Pictures;
  /** Called when the user changes the text. */
  readonly onInput: (text: string) => void;
  readonly onBlur: () => void;
  /** Called with the text to send. */
  readonly onSend: (text: string) => void;
  /** True while the agent is working. New messages are then queued. */
  readonly isBusy?: boolean;
  /** True while the chat is loading. A message can then be written but not sent. */
  readonly isLoading?: boolean;
  /** Undefined before the first snapshot. */
  readonly model?: ModelInfo;
  readonly strategyId?: string;
  readonly commands?: readonly CommandView[] | undefined;
}

const hintId = 'composer-hint';

/** The field for new messages. Only the user and the methods change its text, so drawing leaves it alone. */
export class Composer extends Component<ComposerProps> {
  static override styles = css`
    cb-composer {
      display: block;
    }
  `;
  private readonly completer = new Completer({
    field: () => this.input,
    commands: () => this.props.commands ?? [],
    post: (request) => this.props.post(request),
    onChange: () => this.requestUpdate(),
  });
  private readonly price = new PriceLine();
  private hadFocus = false;
  private shownState: string | undefined;

  get text(): string {
    return this.input.value;
  }

  set text(text: string) {
    this.input.value = text;
    this.completer.close();
    this.changed();
  }

  override focus(): void {
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

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add('composer');
  }

  protected override willUpdate(): void {
    const { post, pictures, isBusy = false, isLoading = false } = this.props;
    this.price.props = { post, pictures, onRemove: this.removeWord };
    const stop = this.querySelector('.stop');
    this.hadFocus = !isBusy && stop !== null && hasFocus(stop);
    // The price may be different now.
    const state = `${isBusy} ${isLoading}`;
    if (this.hasUpdated && state !== this.shownState) this.price.refresh();
    this.shownState = state;
  }

  protected override firstUpdated(): void {
    const { post } = this.props;
    takeDrops(this, post);
    takePastes(this.input, post);
    // A click next to the text focuses the text.
    this.addEventListener('mousedown', (event) => {
      if (event.target !== this) return;
      event.preventDefault();
      this.focus();
    });
  }

  protected override updated(): void {
    if (this.hadFocus) this.focus();
  }

  protected override render(): TemplateResult {
    const { isBusy = false, isLoading = false, onBlur } = this.props;
    const { items, active, take } = this.completer;
    const isBlank = !this.hasUpdated || this.text.trim() === '';
    return html`${completionList({ items, active, onTake: take })}
      <textarea
        rows="2"
        placeholder=${strings.placeholder}
        aria-label=${strings.composer}
        aria-describedby="${hintId} ${numbersId}"
        aria-autocomplete="list"
        aria-controls=${completionsId}
        aria-activedescendant=${active?.id ?? nothing}
        spellcheck="true"
        @input=${() => this.typed()}
        @blur=${() => {
          this.completer.close();
          onBlur();
        }}
        @mousedown=${() => this.completer.close()}
        @keydown=${this.keyPressed}
      ></textarea>
      ${this.price}
      <p id=${hintId} class="hint" ?hidden=${!(isBusy || isLoading) || isBlank}>
        ${isLoading ? strings.loadingHint : strings.busyHint}
      </p>
      <div class="foot">${this.settings()} ${this.buttons(isBlank || isLoading)}</div>`;
  }

  /** The model and the strategy. */
  private settings(): TemplateResult {
    const { post, model, strategyId = '' } = this.props;
    const strategy = titleOfStrategy(strategyId);
    const name = model && strings.modelLabel({ model: model.label });
    return html`${
        model?.isOffline === true
          ? html`<button
              type="button"
              class="foot-item"
              aria-label=${strings.offlineModelLabel}
              @click=${() => post({ type: 'set-api-key' })}
            >
              ${strings.offlineModel}
            </button>`
          : html`<button
              type="button"
              class="foot-item"
              aria-label=${name ?? nothing}
              title=${name ?? nothing}
              @click=${() => post({ type: 'select-model' })}
            >
              ${model?.label}
            </button>`
      }
      <button
        type="button"
        class="foot-item"
        aria-label=${strings.strategyLabel({ strategy })}
        @click=${() => post({ type: 'select-strategy' })}
      >
        ${strategy}
      </button>`;
  }

  private buttons(isSendDisabled: boolean): TemplateResult {
    const { post, isBusy } = this.props;
    return html`<span class="foot-buttons">
      <vscode-button
        appearance="icon"
        aria-label=${strings.pictures.attach}
        title=${strings.pictures.attach}
        @click=${() => post({ type: 'pick-pictures' })}
        >${iconTemplate('picture')}</vscode-button
      >
      ${
        isBusy
          ? html`<vscode-button
              appearance="secondary"
              class="stop"
              aria-label=${strings.stop}
              title=${strings.stop}
              @click=${() => post({ type: 'stop' })}
              >${iconTemplate('stop')}</vscode-button
            >`
          : nothing
      }
      <vscode-button
        appearance="primary"
        class="send"
        aria-label=${strings.send}
        title=${strings.send}
        ?disabled=${isSendDisabled}
        @click=${() => this.submit()}
        >${iconTemplate('send')}</vscode-button
      >
    </span>`;
  }

  /** The text field. Its text can be set before the page shows the composer. */
  private get input(): HTMLTextAreaElement {
    if (!this.hasUpdated) this.drawNow();
    return this.querySelector('textarea')!;
  }

  /** Removes every occurrence of a word from the message. */
  private readonly removeWord = (word: string): void => {
    this.input.value = this.text
      .split(word)
      .map((part, index) => (index === 0 ? part : part.replace(/^ /, '')))
      .join('');
    this.typed();
    this.focus();
  };

  /** Shows what depends on the text. */
  private changed(): void {
    this.price.show(this.isCommand ? '' : this.text);
    this.requestUpdate();
  }

  /** True if the text is a command or the beginning of one, which is not sent to the agent. */
  private get isCommand(): boolean {
    return /^\s*\/[a-z-]*(?:\s|$)/u.test(this.text);
  }

  private typed(): void {
    this.changed();
    this.completer.typed();
    this.props.onInput(this.text);
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    if (this.completer.keyPressed(event)) {
      event.preventDefault();
      return;
    }
    const intent = intentOf(event);
    if (intent === 'submit') {
      event.preventDefault();
      this.submit();
    } else if (intent === 'leave' && this.props.isBusy) {
      event.preventDefault();
      this.props.post({ type: 'stop' });
    }
  };

  private submit(): void {
    const text = this.text.trimEnd();
    if (text.trim() === '' || this.props.isLoading) return;
    this.text = '';
    this.props.onSend(text);
  }
}

customElements.define('cb-composer', Composer);

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
