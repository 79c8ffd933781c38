import { html, nothing, type TemplateResult } from 'lit';

interface LinkLook {
  readonly class?: string;
  readonly title?: string;
  /** Accessible name, if it says more than the label. */
  readonly name?: string;
}

/** A button that looks like a link. */
export function linkButton(label: string, run: () => void, look: LinkLook = {}): TemplateResult {
  return html`<button
    type="button"
    class="link ${look.class ?? ''}"
    title=${look.title ?? nothing}
    aria-label=${look.name ?? nothing}
    @click=${run}
  >
    ${label}
  </button>`;
}
