import { html, nothing, type TemplateResult } from 'lit';

interface LinkLook {
  readonly class?: string;
  readonly title?: string;
  /** Accessible name, if it says more than the label. */
  readonly name?: string;
  /** State of what the button unfolds. */
  readonly isOpen?: boolean;
  readonly opensMenu?: boolean;
}

/** A button that looks like a link. */
export function linkButton(
  label: unknown,
  run: (event: MouseEvent) => void,
  look: LinkLook = {},
): TemplateResult {
  return html`<button
    type="button"
    class="link ${look.class ?? ''}"
    title=${look.title ?? nothing}
    aria-label=${look.name ?? nothing}
    aria-expanded=${look.isOpen ?? nothing}
    aria-haspopup=${look.opensMenu === true ? 'menu' : nothing}
    @click=${run}
  >
    ${label}
  </button>`;
}

interface ButtonLook extends Pick<LinkLook, 'class' | 'title' | 'isOpen'> {
  readonly isPrimary?: boolean;
  readonly isDisabled?: boolean;
}

/** A large button. Does nothing while it is disabled. */
export function largeButton(label: string, run: () => void, look: ButtonLook = {}): TemplateResult {
  const { isPrimary = false, isDisabled = false } = look;
  return html`<vscode-button
    class=${look.class ?? nothing}
    appearance=${isPrimary ? 'primary' : 'secondary'}
    title=${look.title ?? nothing}
    aria-expanded=${look.isOpen ?? nothing}
    ?disabled=${isDisabled}
    @click=${() => {
      if (!isDisabled) run();
    }}
    >${label}</vscode-button
  >`;
}
