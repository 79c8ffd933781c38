import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Completion } from '../../../src/protocol/chat.ts';
import { component, Component } from '../../shared/component.ts';
import { strings } from '../text/chat-strings.ts';

const words = strings.completion;

/** Id of the list, for the field that it completes. */
export const completionsId = 'completions';

/** A completion that is shown. Its id is new whenever other items are shown, so that screen readers announce it. */
export interface ShownCompletion extends Completion {
  readonly id: string;
}

interface CompletionListProps {
  readonly items: readonly ShownCompletion[];
  readonly active: ShownCompletion | undefined;
  /** Called with the item that the user clicks. */
  readonly onTake: (item: Completion) => void;
}

/** Completions of a word, above a field that keeps the focus. Without items, the list is hidden. */
class CompletionList extends Component<CompletionListProps> {
  static override styles = css`
    cb-completions {
      display: contents;
    }
  `;

  protected override updated(): void {
    this.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  protected override render(): TemplateResult {
    const { items } = this.props;
    // Without the default action of the click, the field keeps the focus. A live region must be on the page before it
    // gets text.
    return html`<ul
        id=${completionsId}
        class="completions"
        role="listbox"
        aria-label=${words.label}
        ?hidden=${items.length === 0}
        @mousedown=${(event: MouseEvent) => event.preventDefault()}
      >
        ${repeat(
          items,
          ({ id }) => id,
          (item) => this.option(item),
        )}
      </ul>
      <span class="spoken" role="status"
        >${items.length === 0 ? '' : words.count({ count: items.length })}</span
      >`;
  }

  private option(item: ShownCompletion): TemplateResult {
    const { active, onTake } = this.props;
    const { id, label, detail } = item;
    return html`<li
      id=${id}
      class="completion"
      role="option"
      title=${detail === '' ? nothing : detail}
      aria-selected=${String(item === active)}
      @click=${() => onTake(item)}
    >
      <span class="completion-label">${label}</span> <span class="completion-detail">${detail}</span>
    </li>`;
  }
}

export const completionList = component('cb-completions', CompletionList);
