// Imported one by one, because the toolkit's main file bundles all its controls.
import { vsCodeButton } from '@vscode/webview-ui-toolkit/dist/button/index.js';
import { vsCodeDropdown } from '@vscode/webview-ui-toolkit/dist/dropdown/index.js';
import { vsCodeOption } from '@vscode/webview-ui-toolkit/dist/option/index.js';
import { vsCodeProgressRing } from '@vscode/webview-ui-toolkit/dist/progress-ring/index.js';
import { provideVSCodeDesignSystem } from '@vscode/webview-ui-toolkit/dist/vscode-design-system.js';
import { type Child, element } from './dom.ts';

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
