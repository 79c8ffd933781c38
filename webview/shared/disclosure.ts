import { css, html, nothing, type TemplateResult } from 'lit';
import { addStyles } from './component.ts';
import { iconTemplate } from './icons.ts';

interface DisclosureProps {
  /** Id of the panel, unique on the page. */
  readonly id: string;
  readonly isOpen: boolean;
  /** Class of the line. */
  readonly class: string;
  readonly label: unknown;
  /** Draws the panel. Only called while it is open. */
  readonly panel: () => unknown;
  readonly panelClass?: string;
  readonly onToggle: (isOpen: boolean) => void;
}

/** A line that unfolds the panel that follows it. */
export function disclosure(props: DisclosureProps): TemplateResult {
  return html`${line(props)}${panelOf(props)}`;
}

function line(props: Omit<DisclosureProps, 'panel' | 'panelClass'>): TemplateResult {
  const { id, isOpen, label, onToggle } = props;
  return html`<button
    type="button"
    class="disclosure ${props.class}"
    aria-expanded=${String(isOpen)}
    aria-controls=${id}
    @click=${() => onToggle(!isOpen)}
  >
    ${iconTemplate('chevron')}${label}
  </button>`;
}

function panelOf({
  id,
  isOpen,
  panel,
  panelClass,
}: Pick<DisclosureProps, 'id' | 'isOpen' | 'panel' | 'panelClass'>): TemplateResult {
  return html`<div id=${id} class=${panelClass ?? nothing} ?hidden=${!isOpen}>
    ${isOpen ? panel() : nothing}
  </div>`;
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
