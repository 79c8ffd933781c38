import { css, html, noChange, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { addStyles } from '../../shared/component.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { TabName } from './inspector-view-state.ts';

/** A tab, and its panel once it was opened. */
export interface Tab {
  readonly name: TabName;
  readonly title: string;
  /** Number after the title. */
  readonly count?: number | undefined;
  /** False if the session has nothing to show in the tab. */
  readonly isThere: boolean;
  /** True if the tab was opened before. Its panel then stays in the page while others are shown. */
  readonly isOpened: boolean;
  readonly draw: () => unknown;
}

/** A row of tabs, and the panel of the shown one. Panels of other opened tabs are hidden and keep their state. */
export function tabs(all: readonly Tab[], shown: TabName, onChoose: (name: TabName) => void): TemplateResult {
  const present = all.filter(({ isThere }) => isThere);
  return html`<div
      class="tabs"
      role="tablist"
      aria-label=${inspectorTexts.tabs.label}
      @keydown=${(event: KeyboardEvent) => keyPressed(event, present, shown, onChoose)}
    >
      ${repeat(
        present,
        ({ name }) => name,
        ({ name, title, count }) =>
          html`<button
            type="button"
            role="tab"
            id="tab-${name}"
            class="tab"
            aria-controls="panel-${name}"
            aria-selected=${name === shown}
            tabindex=${name === shown ? 0 : -1}
            @click=${() => onChoose(name)}
          >
            ${title} <span class="dim">${count ?? nothing}</span>
          </button>`,
      )}
    </div>
    ${repeat(
      all.filter(({ name, isOpened }) => isOpened || name === shown),
      ({ name }) => name,
      ({ name, draw }) =>
        html`<div
          role="tabpanel"
          id="panel-${name}"
          class="panel panel-${name}"
          aria-labelledby="tab-${name}"
          ?hidden=${name !== shown}
        >
          ${name === shown ? draw() : noChange}
        </div>`,
    )}`;
}

function keyPressed(
  event: KeyboardEvent,
  present: readonly Tab[],
  shown: TabName,
  onChoose: (name: TabName) => void,
): void {
  const position = present.findIndex(({ name }) => name === shown);
  const last = present.length - 1;
  const next = {
    ArrowLeft: position === 0 ? last : position - 1,
    ArrowRight: position === last ? 0 : position + 1,
    Home: 0,
    End: last,
  }[event.key];
  const name = next === undefined ? undefined : present[next]?.name;
  if (name === undefined) return;
  event.preventDefault();
  onChoose(name);
  document.getElementById(`tab-${name}`)?.focus();
}

addStyles(css`
  .tabs {
    display: flex;
    flex-wrap: wrap;
    margin-top: 6px;
    border-bottom: 1px solid var(--line);
  }
  .tab {
    margin-bottom: -1px;
    padding: 5px 10px;
    border-bottom: 2px solid transparent;
    color: var(--dim);
    font-variant-numeric: tabular-nums;
    &:hover {
      color: var(--fg);
    }
    &[aria-selected='true'] {
      border-bottom-color: var(--vscode-panelTitle-activeBorder, var(--focus));
      color: var(--fg);
    }
    body.vscode-high-contrast &[aria-selected='true'] {
      border-bottom-width: 3px;
      border-bottom-color: var(--vscode-contrastActiveBorder, var(--focus));
      font-weight: 600;
    }
  }
  .panel {
    padding-top: 10px;
  }
`);
