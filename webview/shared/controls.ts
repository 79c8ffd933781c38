// Imported one by one, because the toolkit's main file bundles all its controls.
import { vsCodeButton } from '@vscode/webview-ui-toolkit/dist/button/index.js';
import { vsCodeDropdown } from '@vscode/webview-ui-toolkit/dist/dropdown/index.js';
import { vsCodeOption } from '@vscode/webview-ui-toolkit/dist/option/index.js';
import { vsCodeProgressRing } from '@vscode/webview-ui-toolkit/dist/progress-ring/index.js';
import { provideVSCodeDesignSystem } from '@vscode/webview-ui-toolkit/dist/vscode-design-system.js';

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
