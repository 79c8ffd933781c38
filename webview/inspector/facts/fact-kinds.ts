import { css, html, nothing, type TemplateResult } from 'lit';
import {
  type FactCount,
  type FactKind,
  factKinds,
  heldNoLonger,
} from '../../../src/protocol/inspector-ledger.ts';
import { addStyles } from '../../shared/component.ts';
import { styled } from '../../shared/styled.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.ledger;

/** The kinds of facts with a bar each: how many are still there. Pressing one shows only its facts. */
export function factKindList(
  counts: Readonly<Partial<Record<FactKind, FactCount>>>,
  chosen: FactKind | undefined,
  onChoose: (kind: FactKind | undefined) => void,
): TemplateResult {
  return html`<div class="fact-kinds" role="group" aria-label=${words.facts.kinds}>
    ${factKinds.map((kind) => {
      const { total = 0, gone = 0 } = counts[kind] ?? {};
      if (total === 0) return nothing;
      const there = total - gone;
      return html`<button
        type="button"
        aria-pressed=${kind === chosen}
        @click=${() => onChoose(kind === chosen ? undefined : kind)}
      >
        <span>${words.kinds[kind]}</span>
        ${
          heldNoLonger.has(kind)
            ? html`<span></span><span class="dim">${total}</span>`
            : html`<span class="there-bar" aria-hidden="true"
                  ><i ${styled({ width: `${(100 * there) / total}%` })}></i
                ></span>
                <span class=${gone > 0 ? '' : 'dim'}>${words.facts.there({ there, total })}</span>`
        }
      </button>`;
    })}
  </div>`;
}

addStyles(css`
  .fact-kinds {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(230px, 100%), 1fr));
    align-content: start;
    @media (min-width: 760px) {
      position: sticky;
      top: 8px;
      align-self: start;
    }
    gap: 1px 12px;
    > button {
      display: grid;
      grid-template-columns: minmax(0, 1fr) 48px minmax(46px, auto);
      align-items: center;
      gap: 8px;
      padding: 2px 6px;
      border-radius: 3px;
      font-variant-numeric: tabular-nums;
      &:hover {
        background: var(--hover);
      }
      &[aria-pressed='true'] {
        background: var(--vscode-list-inactiveSelectionBackground, var(--card));
        font-weight: 600;
      }
      > :last-child {
        text-align: end;
      }
    }
    body.vscode-high-contrast & > [aria-pressed='true'] {
      outline: 1px solid var(--vscode-contrastActiveBorder, var(--focus));
    }
  }
  .there-bar {
    height: 8px;
    border: 1px solid color-mix(in srgb, var(--fg) 45%, transparent);
    border-radius: 2px;
    > i {
      display: block;
      height: 100%;
      background: color-mix(in srgb, var(--fg) 45%, var(--surface));
      forced-color-adjust: none;
    }
    body.vscode-high-contrast & > i {
      background: var(--fg);
    }
  }
`);
