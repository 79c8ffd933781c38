import { css, html, nothing, type TemplateResult } from 'lit';
import { addStyles } from './component.ts';

/** Line drawings on a 16 × 16 grid, in the colour of the text around them. */
const drawings = {
  chevron: 'M6 4l4 4-4 4',
  send: 'M8 13V3.5M4 7.5l4-4 4 4',
  stop: 'M5 5h6v6H5z',
  compaction: 'M8 2.5 13.5 8 8 13.5 2.5 8z',
  warning: 'M8 2.5 14.3 13.5H1.7zM8 6.5v3.5M8 11.8v.1',
  error: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4',
  interrupted: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM5 8h6',
  running: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  waiting: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM8 4.8V8l2.2 1.6',
  declined: 'M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8zM3.7 12.3l8.6-8.6',
  pending: 'M8 3.2a4.8 4.8 0 1 0 0 9.6 4.8 4.8 0 0 0 0-9.6z',
  edit: 'M3 13l.7-3 6.8-6.8 2.3 2.3L6 12.3zM9 4.7 11.3 7',
  picture: 'M2.5 3.5h11v9h-11zM2.5 11l3.2-3.2 2.6 2.6 1.7-1.7 3.5 3.3M10.5 6.2h.01',
  pin: 'M5.5 2h5M6.5 2v4L4.5 9h7l-2-3V2M8 9v5',
  up: 'M4 10l4-4 4 4',
  below: 'M4 6l4 4 4-4',
  down: 'M8 3v9.5M4 8.5l4 4 4-4',
  arrow: 'M2.5 8h10.5M9 4l4 4-4 4',
  filter: 'M2.5 4h11M4.5 8h7M6.5 12h3',
  more: 'M3 8h.01M8 8h.01M13 8h.01',
  keep: 'M3 8.5l3.2 3.2L13 5',
  hide: 'M1.8 8C3.6 5.2 5.7 4 8 4s4.4 1.2 6.2 4c-1.8 2.8-3.9 4-6.2 4S3.6 10.8 1.8 8zM3 13 13 3',
  clip: 'M2 4h12M2 12h12M2 8h2M7 8h2M12 8h2',
  offload: 'M2.5 9.5v4h11v-4M8 2v8M5 7l3 3 3-3',
  drop: 'M4 4l8 8M12 4l-8 8',
  summarise: 'M2.5 3.5H6c2.5 0 2 4.5 4.5 4.5h3M2.5 12.5H6c2.5 0 2-4.5 4.5-4.5',
  insert: 'M8 3v10M3 8h10',
  restore: 'M3 5v4h4M3.4 9A5 5 0 1 0 5 4.6',
} as const;

export type IconName = keyof typeof drawings;

/** Draws an icon. Icons have no accessible name, because a label is next to them or on their button. */
export function iconTemplate(name: IconName): TemplateResult {
  return html`<svg viewBox="0 0 16 16" class="icon icon-${name}" aria-hidden="true">
    <path d=${drawings[name]}></path>
  </svg>`;
}

/** A button that shows only an icon. Its label is its accessible name and its tooltip. */
export function iconButton(
  name: IconName,
  label: string,
  onClick: (event: MouseEvent) => void,
  { isDisabled = false, opensMenu = false } = {},
): TemplateResult {
  return html`<button
    type="button"
    class="icon-button"
    aria-haspopup=${opensMenu ? 'menu' : nothing}
    aria-label=${label}
    title=${label}
    ?disabled=${isDisabled}
    @click=${onClick}
  >
    ${iconTemplate(name)}
  </button>`;
}

addStyles(css`
  .icon-button {
    padding: 1px 5px;
    border-radius: var(--radius);
    &:hover:not(:disabled) {
      background: var(--vscode-toolbar-hoverBackground, var(--hover));
    }
    &:disabled {
      opacity: 0.4;
      cursor: default;
    }
    body.vscode-high-contrast &:hover:not(:disabled) {
      outline: 1px dashed var(--vscode-contrastActiveBorder, var(--focus));
    }
  }
`);
