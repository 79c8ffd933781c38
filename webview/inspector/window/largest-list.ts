import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { addStyles } from '../../shared/component.ts';
import { formatCount } from '../../shared/numbers.ts';
import { pathCut } from '../../shared/path-cut.ts';
import { styled } from '../../shared/styled.ts';
import { linkButton } from '../../shared/link-button.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { kindName, tileName } from './treemap.ts';
import type { Tile } from './tiles.ts';

const words = inspectorTexts.inWindow;

/** Number of rows that are shown at first. */
const few = 6;

interface LargestList {
  readonly tiles: readonly Tile[];
  /** Key of the chosen tile. */
  readonly chosen: string | undefined;
  readonly isWhole: boolean;
  readonly onChoose: (key: string) => void;
  readonly onWhole: (isWhole: boolean) => void;
}

/** The tiles as a list, the largest first. The arrow keys, Home and End choose. */
export function largestList({ tiles, chosen, isWhole, onChoose, onWhole }: LargestList): TemplateResult {
  const sorted = tiles.toSorted((one, other) => other.tokens - one.tokens);
  const most = sorted[0]?.tokens ?? 0;
  const shown = sorted.filter(({ key }, index) => isWhole || index < few || key === chosen);
  const left = sorted.length - Math.min(few, sorted.length);
  const keyPressed = (event: KeyboardEvent): void => {
    const at = shown.findIndex(({ key }) => key === chosen);
    const last = shown.length - 1;
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: last }[event.key];
    const tile = next === undefined ? undefined : shown[Math.max(0, Math.min(last, next))];
    if (tile === undefined) return;
    event.preventDefault();
    onChoose(tile.key);
  };
  return html`<div
      class="largest-list"
      role="listbox"
      tabindex="0"
      aria-label=${words.title}
      aria-activedescendant=${idOf(shown.findIndex(({ key }) => key === chosen))}
      @keydown=${keyPressed}
    >
      ${repeat(
        shown,
        ({ key }) => key,
        (tile, index) =>
          html`<div
            role="option"
            id=${idOf(index)}
            class="largest-row"
            aria-selected=${tile.key === chosen}
            title="${kindName(tile.kind)} · ${tileName(tile)}"
            @click=${() => onChoose(tile.key)}
          >
            <i class="swatch kind kind-${tile.kind}"></i>
            ${pathCut(tileName(tile), 'largest-name')}
            <span>${formatCount(tile.tokens)}</span>
            <span class="largest-bar"
              ><i class="kind kind-${tile.kind}" ${styled({ width: `${(tile.tokens / most) * 100}%` })}></i
            ></span>
          </div>`,
      )}
    </div>
    ${
      left === 0
        ? nothing
        : linkButton(isWhole ? words.fewer : words.more({ count: left }), () => onWhole(!isWhole), {
            isOpen: isWhole,
          })
    }`;
}

function idOf(row: number): string {
  return `largest-row-${row}`;
}

addStyles(css`
  .largest-list {
    margin-top: 8px;
    font-variant-numeric: tabular-nums;
  }
  .largest-row {
    display: flex;
    align-items: baseline;
    flex-wrap: wrap;
    gap: 0 7px;
    margin-inline: -5px;
    padding: 1px 5px;
    border-radius: 3px;
    cursor: default;
    &:hover,
    &[aria-selected='true'] {
      background: var(--hover);
    }
    &[aria-selected='true'] {
      background: var(--vscode-list-inactiveSelectionBackground, var(--hover));
    }
    body.vscode-high-contrast &[aria-selected='true'] {
      outline: 1px dashed var(--vscode-contrastActiveBorder, var(--focus));
      outline-offset: -1px;
    }
  }
  .largest-name {
    flex: 1 1 0;
    min-width: 0;
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  /* Without the picture, the list has its bars. */
  .largest-bar {
    display: none;
    flex: 0 0 100%;
    padding: 1px 0 3px;
    > i {
      height: 4px;
    }
    @media (max-width: 400px) {
      display: block;
    }
  }
`);
