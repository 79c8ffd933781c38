import { css, html, nothing, type TemplateResult } from 'lit';
import type { AssistantRow } from '../../../../src/protocol/chat-rows.ts';
import { component, freshId } from '../../../shared/component.ts';
import { disclosure } from '../../../shared/disclosure.ts';
import { GrowingText } from '../../../shared/growing-text.ts';
import { linkButton } from '../../../shared/link-button.ts';
import { strings } from '../../text/chat-strings.ts';
import { StreamingMarkdown } from '../../text/streaming-markdown.ts';
import { moreButton, pinButton, RowElement, type RowProps } from './row-element.ts';

class AssistantRowElement extends RowElement<AssistantRow> {
  static override styles = css`
    .row.assistant {
      position: relative;
      padding-block: 1px;
    }
    .assistant-actions {
      float: right;
      display: flex;
      gap: 1px;
      margin: 6px 0 0 4px;
    }
    .stopped {
      display: flex;
      flex-wrap: wrap;
      gap: 0 10px;
      margin: 2px 0 10px;
      color: var(--dim);
    }
    .continue {
      display: none;
    }
    .log.is-idle > .rows:last-child > .row:last-child .continue {
      display: inline;
    }
    .thinking {
      margin: 4px 0;
    }
    .thinking-text {
      margin: 0 0 8px 4px;
      padding-inline-start: 11px;
      border-inline-start: 1px solid var(--line);
      color: var(--dim);
      white-space: pre-wrap;
    }
  `;
  override readonly folded = {
    text: () => (this.isOpen ? '' : this.props.row.reasoning),
    unfold: () => {
      this.unfold(true);
      this.drawNow();
    },
  };
  private readonly panelId = freshId();
  private readonly markdown = new StreamingMarkdown();
  private readonly thinking = document.createElement('div');
  private readonly thought = new GrowingText(this.thinking);

  private get isOpen(): boolean {
    const { row, context } = this.props;
    return context.open.has(`thinking:${row.id}`);
  }

  protected override render(): TemplateResult {
    const { row, context } = this.props;
    const { post } = context;
    const { id, state, isPinned, reasoning } = row;
    const pin = pinButton(strings.pins.answer, isPinned, (next) =>
      post({ type: 'pin', messageId: id, isPinned: next }),
    );
    return html`<span class="spoken">${strings.assistant}: </span>
      <span class="assistant-actions">${pin}${isPinned === undefined ? nothing : moreButton()}</span>
      ${
        reasoning === ''
          ? nothing
          : disclosure({
              id: this.panelId,
              isOpen: this.isOpen,
              class: 'thinking',
              label: strings.thinking,
              panel: () => this.thinking,
              onToggle: (isOpen) => this.unfold(isOpen),
            })
      }
      ${this.markdown.element}
      ${
        state === 'stopped'
          ? html`<p class="stopped">
              <i>${strings.stopped}</i>
              ${linkButton(strings.goOn, () => post({ type: 'retry' }), { class: 'continue changes-chat' })}
            </p>`
          : nothing
      }`;
  }

  protected override updated(): void {
    const { markdown, state, reasoning } = this.props.row;
    this.thinking.className = 'thinking-text';
    if (this.isOpen) this.thought.update(reasoning);
    this.markdown.update(markdown, state !== 'streaming');
  }

  private unfold(isOpen: boolean): void {
    const { row, context } = this.props;
    context.open.set(`thinking:${row.id}`, isOpen);
    this.requestUpdate();
  }
}

export const assistantRow = component<RowProps<AssistantRow>>('cb-assistant-row', AssistantRowElement);
