import { css, html, nothing, type TemplateResult } from 'lit';
import type { ChatRequest, ChatState } from '../../../src/protocol/chat.ts';
import { component, Component } from '../../shared/component.ts';
import { hasFocus, intentOf } from '../../shared/keyboard.ts';
import { linkButton } from '../../shared/link-button.ts';
import { formatPercent } from '../../shared/numbers.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.proposal;

interface PromptProps extends Pick<ChatState, 'proposal' | 'meter' | 'strategies'> {
  readonly post: (request: ChatRequest) => void;
  /** Called if the row has the focus when it disappears. */
  readonly giveFocus: () => void;
}

/** Classes of the links that lead to a form, by the form's name. */
type Form = 'focus' | 'strategy';

/** The question in one row whether to compact. It is announced to screen readers, and does not take the focus. */
class CompactionPrompt extends Component<PromptProps> {
  static override styles = css`
    cb-proposal {
      display: flex;
      align-items: baseline;
      flex-wrap: wrap;
      justify-content: space-between;
      gap: 0 12px;
      padding: 0 2px;
      color: var(--dim);
      font-size: var(--small);
      font-variant-numeric: tabular-nums;
      &:has(.choices) {
        padding-bottom: 7px;
      }
      .link {
        white-space: nowrap;
      }
      .choices:has(.proposal-form) {
        flex: 1 1 100%;
      }
      .answers,
      .proposal-form {
        display: flex;
        align-items: baseline;
        flex-wrap: wrap;
        gap: 2px 12px;
      }
      .proposal-form > .field {
        flex: 1 1 110px;
        width: auto;
        min-width: 0;
        padding: 2px 6px;
      }
    }
  `;
  private form: Form | undefined;
  private hadFocus = false;
  /** Selector of the element that gets the focus after the next drawing. */
  private focused: string | undefined;

  protected override willUpdate(): void {
    this.className = 'proposal changes-chat';
    this.hadFocus = this.props.proposal === null && hasFocus(this);
    if (this.props.proposal === null) this.form = undefined;
  }

  protected override updated(): void {
    if (this.focused !== undefined) this.querySelector<HTMLElement>(this.focused)?.focus();
    this.focused = undefined;
    if (this.hadFocus) this.props.giveFocus();
  }

  protected override render(): TemplateResult {
    const { proposal } = this.props;
    const shown = this.form === undefined ? this.answers() : this.formOf(this.form);
    // A live region must be on the page before it gets text.
    return html`<span role="status">${questionOf(this.props)}</span>${
        proposal === null
          ? nothing
          : html`<span class="choices" role="group" aria-label=${words.label}>${shown}</span>`
      }`;
  }

  private answers(): TemplateResult {
    const { post, strategies = [] } = this.props;
    return html`<span class="answers">
      ${linkButton(words.compactNow, () => post({ type: 'compact' }))}
      ${linkButton(words.preview, () => post({ type: 'preview' }))}
      ${linkButton(words.withFocus, () => this.show('focus', '.field'), { class: 'to-focus' })}
      ${
        strategies.length === 0
          ? nothing
          : linkButton(words.otherStrategy, () => this.show('strategy', '.field'), { class: 'to-strategy' })
      }
      ${linkButton(words.notNow, () => post({ type: 'decline-compaction' }))}
    </span>`;
  }

  private formOf(form: Form): TemplateResult {
    const { strategies = [] } = this.props;
    return html`<span class="proposal-form" @keydown=${this.keyPressed}>
      ${
        form === 'focus'
          ? html`<input type="text" class="field" placeholder=${words.focus} aria-label=${words.focus} />`
          : html`<select class="field" aria-label=${words.strategy}>
              ${strategies.map(({ id, title }) => html`<option value=${id}>${title}</option>`)}
            </select>`
      }
      ${linkButton(words.compact, () => this.compact())} ${linkButton(words.back, () => this.back())}
    </span>`;
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    const intent = intentOf(event);
    if (intent === undefined || !(event.target as Element).matches('.field')) return;
    event.preventDefault();
    if (intent === 'submit') this.compact();
    else this.back();
  };

  private compact(): void {
    const value = this.querySelector<HTMLInputElement | HTMLSelectElement>('.field')?.value.trim() ?? '';
    const chosen = value === '' ? {} : this.form === 'focus' ? { focus: value } : { strategy: value };
    this.props.post({ type: 'compact', ...chosen });
  }

  private back(): void {
    this.show(undefined, `.to-${this.form ?? ''}`);
  }

  private show(form: Form | undefined, focused: string): void {
    this.form = form;
    this.focused = focused;
    this.requestUpdate();
  }
}

export const compactionPrompt = component('cb-proposal', CompactionPrompt);

function questionOf({ proposal, meter: { tokens, window: size } }: PromptProps): string {
  if (proposal === null) return '';
  if (proposal === 'messages' || proposal === 'turns' || proposal === 'planStep')
    return words.grown[proposal];
  return size === undefined ? words.holds({ tokens }) : words.full({ share: formatPercent(tokens / size) });
}
