import type { ChatRequest, ModelInfo } from '../../src/extension/protocol/chat.ts';
import { element, freshId, plainButton, setAttribute, setText } from '../dom.ts';
import { icon } from '../icons.ts';
import { type Control, controlButton } from '../toolkit.ts';
import { strings } from './strings.ts';

export interface ComposerOptions {
  readonly post: (request: ChatRequest) => void;
  /** Called with every change of the text that a person makes. */
  readonly onInput: (text: string) => void;
  readonly onBlur: () => void;
  /** Called with a text that is ready to go. */
  readonly onSend: (text: string) => void;
}

/** Where a person writes. */
export class Composer {
  readonly element: HTMLElement;
  private readonly options: ComposerOptions;
  private readonly input: HTMLTextAreaElement;
  private readonly hint: HTMLElement;
  private readonly model: HTMLElement;
  private readonly offlineModel: HTMLButtonElement;
  private readonly strategy: HTMLButtonElement;
  private readonly button: Control;
  private isBusy = false;

  constructor(options: ComposerOptions) {
    const { post } = options;
    this.options = options;
    const hintId = freshId();
    this.input = element('textarea', {
      rows: 2,
      placeholder: strings.placeholder,
      'aria-label': strings.composer,
      'aria-describedby': hintId,
      spellcheck: 'true',
    });
    this.hint = element('p', { id: hintId, class: 'hint', hidden: true }, strings.busyHint);
    this.model = element('span', { class: 'foot-item' });
    this.offlineModel = plainButton(
      { class: 'foot-item', 'aria-label': strings.offlineModelLabel },
      () => post({ type: 'set-api-key' }),
      strings.offlineModel,
    );
    this.strategy = plainButton({ class: 'foot-item' }, () => post({ type: 'select-strategy' }));
    this.button = controlButton({ appearance: 'primary', onClick: () => this.pressed() });
    this.button.classList.add('send');
    this.element = element(
      'div',
      { class: 'composer' },
      this.input,
      this.hint,
      element('div', { class: 'foot' }, this.model, this.offlineModel, this.strategy, this.button),
    );
    this.input.addEventListener('input', () => this.typed());
    this.input.addEventListener('blur', () => options.onBlur());
    this.input.addEventListener('keydown', (event) => this.keyPressed(event));
    // A click beside the text is meant for the text.
    this.element.addEventListener('mousedown', (event) => {
      if (event.target !== this.element) return;
      event.preventDefault();
      this.focus();
    });
    this.setBusy(false);
  }

  get text(): string {
    return this.input.value;
  }

  set text(text: string) {
    this.input.value = text;
    this.refresh();
  }

  focus(): void {
    this.input.focus();
  }

  /** Puts a text in as if the person had typed it. */
  fill(text: string): void {
    this.input.value = text;
    this.typed();
    this.focus();
  }

  setBusy(isBusy: boolean): void {
    this.isBusy = isBusy;
    const label = isBusy ? strings.stop : strings.send;
    if (this.button.getAttribute('aria-label') !== label) {
      this.button.setAttribute('aria-label', label);
      this.button.title = label;
      this.button.replaceChildren(icon(isBusy ? 'stop' : 'send'));
    }
    this.refresh();
  }

  setFooter(model: ModelInfo, strategy: string): void {
    this.model.hidden = model.isOffline;
    this.offlineModel.hidden = !model.isOffline;
    setText(this.model, model.label);
    setAttribute(this.model, 'title', strings.modelLabel(model.label));
    setText(this.strategy, strategy);
    setAttribute(this.strategy, 'aria-label', strings.strategyLabel(strategy));
  }

  private refresh(): void {
    const isBlank = this.input.value.trim() === '';
    this.button.disabled = !this.isBusy && isBlank;
    this.hint.hidden = !this.isBusy || isBlank;
  }

  private typed(): void {
    this.refresh();
    this.options.onInput(this.input.value);
  }

  private keyPressed(event: KeyboardEvent): void {
    // Enter also accepts what an input method proposes; some tell of it only by this key code.
    if (event.isComposing || isProcessedByInputMethod(event)) return;
    if (event.key === 'Enter' && !event.shiftKey && !event.altKey) {
      event.preventDefault();
      this.submit();
    } else if (event.key === 'Escape' && this.isBusy) {
      event.preventDefault();
      this.options.post({ type: 'stop' });
    }
  }

  private pressed(): void {
    if (this.isBusy) this.options.post({ type: 'stop' });
    else this.submit();
  }

  private submit(): void {
    const text = this.input.value.trimEnd();
    if (this.isBusy || text.trim() === '') return;
    this.text = '';
    this.options.onSend(text);
  }
}

function isProcessedByInputMethod(event: KeyboardEvent): boolean {
  // Deprecated, and the only sign in browsers that end a composition before the key that ended it.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return event.keyCode === 229;
}
