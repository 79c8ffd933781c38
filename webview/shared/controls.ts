// Imported one by one, because the toolkit's main file bundles all its controls.
import { vsCodeButton } from '@vscode/webview-ui-toolkit/dist/button/index.js';
import { vsCodeDropdown } from '@vscode/webview-ui-toolkit/dist/dropdown/index.js';
import { vsCodeOption } from '@vscode/webview-ui-toolkit/dist/option/index.js';
import { vsCodeProgressRing } from '@vscode/webview-ui-toolkit/dist/progress-ring/index.js';
import { provideVSCodeDesignSystem } from '@vscode/webview-ui-toolkit/dist/vscode-design-system.js';
import { type Child, element, freshId, setAttribute } from './dom.ts';

/**
 * Registers the toolkit's controls, which only this module imports. The toolkit's badge and tag are not used, because
 * they write style attributes, which the page's policy forbids.
 */
export function registerControls(): void {
  provideVSCodeDesignSystem().register(vsCodeButton(), vsCodeProgressRing());
}

/** Registers the fields of `controlDropdown`. */
export function registerDropdowns(): void {
  provideVSCodeDesignSystem().register(vsCodeDropdown(), vsCodeOption());
}

/** An element of the toolkit that can be disabled. */
export type Control = HTMLElement & { disabled: boolean };

interface ControlButton {
  readonly appearance: 'primary' | 'secondary' | 'icon';
  /** Accessible name of a button that shows only an icon. */
  readonly label?: string;
  readonly onClick: () => void;
}

export function controlButton(options: ControlButton, ...content: readonly Child[]): Control {
  const button = element(
    'vscode-button',
    { appearance: options.appearance, 'aria-label': options.label },
    ...content,
  ) as Control;
  button.addEventListener('click', () => {
    if (!button.disabled) options.onClick();
  });
  return button;
}

/** A line that expands the content below it. */
interface Disclosure {
  readonly button: HTMLButtonElement;
  /** The panel below the button. It is empty until it is first opened. */
  readonly panel: HTMLElement;
  readonly isOpen: boolean;
  setOpen(isOpen: boolean): void;
}

interface DisclosureOptions {
  readonly isOpen: boolean;
  readonly class?: string;
  /** Called before the panel opens, to fill it, and after the user has closed it. */
  onToggle(isOpen: boolean): void;
}

/** Creates a disclosure. Its button is empty, so the caller adds a chevron and a label. */
export function createDisclosure(options: DisclosureOptions): Disclosure {
  const id = freshId();
  let isOpen = false;
  const button = element('button', {
    type: 'button',
    class: `disclosure ${options.class ?? ''}`.trim(),
    'aria-expanded': 'false',
    'aria-controls': id,
  });
  const panel = element('div', { id, hidden: true });
  const setOpen = (open: boolean) => {
    if (open === isOpen) return;
    isOpen = open;
    options.onToggle(open);
    setAttribute(button, 'aria-expanded', String(open));
    panel.hidden = !open;
  };
  button.addEventListener('click', () => setOpen(!isOpen));
  const disclosure = {
    button,
    panel,
    get isOpen() {
      return isOpen;
    },
    setOpen,
  };
  // The caller must have the result before it can fill the panel.
  if (options.isOpen) queueMicrotask(() => setOpen(true));
  return disclosure;
}
