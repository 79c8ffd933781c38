import { css, html, nothing, type TemplateResult } from 'lit';
import { addStyles } from './component.ts';
import { iconTemplate } from './icons.ts';

interface Disclosure {
  /** Id of the panel, unique on the page. */
  readonly id: string;
  readonly isOpen: boolean;
  /** Class of the line. */
  readonly class: string;
  readonly label: unknown;
  /** Draws the panel. Only called while it is open. */
  readonly panel: () => unknown;
  readonly onToggle: (isOpen: boolean) => void;
}

/** A line that unfolds the panel that follows it. */
export function disclosure({ id, isOpen, label, panel, onToggle, ...look }: Disclosure): TemplateResult {
  return html`<button
      type="button"
      class="disclosure ${look.class}"
      aria-expanded=${isOpen}
      aria-controls=${id}
      @click=${() => onToggle(!isOpen)}
    >
      ${iconTemplate('chevron')}${label}
    </button>
    <div id=${id} ?hidden=${!isOpen}>${isOpen ? panel() : nothing}</div>`;
}

addStyles(css`
  .disclosure {
    display: flex;
    align-items: baseline;
    gap: 6px;
    max-width: 100%;
    color: var(--dim);
    &:hover {
      color: var(--fg);
    }
    > .icon-chevron {
      align-self: center;
    }
  }
`);
