import { css, html, nothing, type TemplateResult } from 'lit';
import { when } from 'lit/directives/when.js';
import type { Kind } from '../../../src/protocol/engine-terms.ts';
import type { ArchiveHit, FactSource } from '../../../src/protocol/inspector-ledger.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { kindNames } from '../../shared/compaction-words.ts';
import { Component, component } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { largeButton } from '../../shared/link-button.ts';
import { saidBy } from '../by-hand/selected-sentence.ts';
import type { MenuSubject } from '../by-hand/picked-messages.ts';
import type { PageActions } from '../state/page-state.ts';
import { messageButtons } from '../by-hand/message-menu.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { SaidText } from '../state/facts-answers.ts';

const words = inspectorTexts.ledger.message;

/** Kinds of messages whose title begins with the name of a tool, which says enough to those who see the colour. */
const namesTool: ReadonlySet<Kind> = new Set(['toolCall', 'toolResult']);

interface SaidProps {
  readonly message: FactSource | ArchiveHit;
  readonly isOpen: boolean;
  /** Undefined until the text has arrived. */
  readonly said: SaidText | undefined;
  /** False in a read-only session. */
  readonly canChange: boolean;
  readonly page: PageActions;
  readonly onToggle: (messageId: string) => void;
}

/** A message of the session as a line, which unfolds to its text and actions. */
class SaidMessage extends Component<SaidProps> {
  /** The menu reads the state of the message each time it opens. */
  private readonly subject: { -readonly [Key in keyof MenuSubject]: MenuSubject[Key] } = {};
  /** True while a text is on its way. */
  private isAsked = false;

  static override styles = css`
    cb-said {
      display: block;
      .said {
        display: flex;
        align-items: baseline;
        flex-wrap: wrap;
        gap: 0 8px;
        width: 100%;
        padding: 2px 4px;
        border-radius: 3px;
        &:hover {
          background: var(--hover);
        }
      }
      .said-title,
      .said-excerpt {
        flex: 1 1 140px;
        min-width: 0;
        overflow-wrap: anywhere;
      }
      .said-excerpt {
        flex-basis: 100%;
        padding-inline-start: 28px;
        mark {
          border-radius: 2px;
          background: color-mix(in srgb, var(--blue) 26%, transparent);
          color: var(--fg);
        }
      }
      .said-panel {
        padding: 0 0 6px 28px;
        > div {
          display: flex;
          flex-wrap: wrap;
          gap: 6px;
          padding-top: 4px;
        }
      }
      body.vscode-high-contrast & {
        .said:hover {
          outline: 1px dashed var(--vscode-contrastActiveBorder, var(--focus));
          outline-offset: -1px;
        }
        mark {
          background: none;
          outline: 1px solid var(--vscode-contrastActiveBorder, var(--fg));
        }
      }
    }
  `;

  override connectedCallback(): void {
    super.connectedCallback();
    // The list measures the row at once.
    this.performUpdate();
  }

  protected override render(): unknown {
    const { message, isOpen, onToggle } = this.props;
    const { messageId, kind, title, isInView, isPinned, isHidden } = message;
    Object.assign(this.subject, { messageId, isInContext: isInView, isHidden: isHidden ?? false });
    const where = isHidden === true ? inspectorTexts.byHand.hidden : isInView ? words.inView : words.gone;
    return html`<button
        type="button"
        class="said"
        data-stop
        aria-expanded=${isOpen}
        @click=${() => onToggle(messageId)}
      >
        ${iconTemplate('chevron')}<i class="swatch kind kind-${kind}"></i
        ><b class=${namesTool.has(kind) ? 'spoken' : ''}>${kindNames[kind]}</b>
        <span class="said-title">${title}</span>
        <span class=${where === words.inView ? 'spoken' : 'dim'}>${where}</span>
        ${isPinned ? html`<span class="dim">${words.pinned}</span>` : nothing}
        ${
          'tokens' in message
            ? html`<span>${words.tokens({ text: message.tokens })}</span>
                <span class="said-excerpt dim">${excerptOf(message)}</span>`
            : nothing
        }
      </button>
      ${isOpen ? this.panel() : nothing}`;
  }

  protected override firstUpdated(): void {
    this.props.page.menu.attach(this.querySelector<HTMLElement>('.said')!, this.subject);
  }

  protected override updated(): void {
    const { isOpen, said, page, message } = this.props;
    const isWanted = isOpen && said === undefined;
    if (isWanted && !this.isAsked) page.post({ type: 'archive-text', messageId: message.messageId });
    this.isAsked = isWanted;
  }

  private panel(): TemplateResult {
    const { message, said, canChange, page } = this.props;
    const { messageId, kind, isInView, isPinned, isHidden } = message;
    const button = (text: string, request: InspectorRequest) => largeButton(text, () => page.post(request));
    return html`<div class="said-panel texts">
      ${
        said === undefined || said.text === ''
          ? html`<p class="dim">${said === undefined ? words.loading : words.noText}</p>`
          : html`<pre
              tabindex="0"
              data-said=${saidBy(kind, messageId) ?? nothing}
              .textContent=${said.text}
            ></pre>`
      }
      ${said?.isCut === true ? html`<p class="dim">${words.cut}</p>` : nothing}
      <div>
        ${when(canChange && !isInView && isHidden !== true, () => button(words.restore, { type: 'restore', messageId }))}
        ${when(canChange, () => button(isPinned ? words.unpin : words.pin, { type: 'pin', messageId, isPinned: !isPinned }))}
        ${button(words.open, { type: 'open-message', messageId })} ${messageButtons(page.menu, this.subject)}
      </div>
    </div>`;
  }
}

export const saidMessage = component('cb-said', SaidMessage);

/** The excerpt with marked matches. */
function excerptOf({ excerpt, ranges }: ArchiveHit): readonly unknown[] {
  let end = 0;
  const parts = ranges.map((range) => {
    const before = excerpt.slice(end, range.start);
    ({ end } = range);
    return [before, html`<mark>${excerpt.slice(range.start, range.end)}</mark>`];
  });
  return [...parts, excerpt.slice(end)];
}
