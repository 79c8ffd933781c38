import { css, html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { WhatIfRow } from '../../../src/protocol/inspector-what-if.ts';
import { addStyles } from '../../shared/component.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { cellText, type OutcomeColumn, type Sorting, titleOfRow } from './outcomes.ts';

const words = inspectorTexts.whatIf;

interface OutcomeTable {
  readonly rows: readonly WhatIfRow[];
  readonly columns: readonly OutcomeColumn[];
  readonly best: string | undefined;
  readonly current: string;
  /** The row of the compaction that the agent made. */
  readonly made: string | undefined;
  readonly chosen: string | undefined;
  readonly sorting: Sorting | undefined;
  readonly onSort: (column: OutcomeColumn) => void;
  readonly onChoose: (strategy: string) => void;
}

/** Strategies with the tokens they leave, the facts they keep, and what they cost. One row is chosen. */
export function outcomeTable(table: OutcomeTable): TemplateResult {
  const { rows, columns, sorting, onSort } = table;
  const sortOf = (column: OutcomeColumn) =>
    column !== sorting?.column ? nothing : sorting.isDescending ? 'descending' : 'ascending';
  return html`<table class="outcomes" aria-label=${words.table}>
    <thead>
      <tr>
        ${columns.map(
          (column) =>
            html`<th scope="col" class="is-${column}" aria-sort=${sortOf(column)}>
              <button type="button" @click=${() => onSort(column)}>
                ${words.columns[column]}${column === sorting?.column ? iconTemplate('below') : nothing}
              </button>
            </th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${repeat(
        rows,
        ({ strategy }) => strategy,
        (row) => rowTemplate(row, table),
      )}
    </tbody>
  </table>`;
}

function rowTemplate(row: WhatIfRow, { columns, best, current, made, chosen, onChoose }: OutcomeTable) {
  const { strategy, isEstimate } = row;
  const notes = [
    ...(strategy === best ? [words.best] : []),
    ...(strategy === current ? [words.current] : []),
    ...(strategy === made ? [words.made] : []),
    ...(isEstimate ? [words.estimate] : []),
  ];
  return html`<tr class=${strategy === chosen ? 'is-chosen' : ''} @click=${() => onChoose(strategy)}>
    ${columns.map((column) =>
      column === 'strategy'
        ? html`<th scope="row">
            <button type="button" aria-pressed=${strategy === chosen}>${titleOfRow(row)}</button>${notes.map(
              (note) => html`<span class="dim"> · ${note}</span>`,
            )}
          </th>`
        : html`<td class="is-${column}">${cellText(row, column)}</td>`,
    )}
  </tr>`;
}

addStyles(css`
  .outcomes {
    width: 100%;
    border-collapse: collapse;
    font-variant-numeric: tabular-nums;
    th,
    td {
      padding: 2px 8px;
      border-bottom: 1px solid var(--line);
      font-weight: 400;
      text-align: end;
    }
    th:first-child {
      min-width: 130px;
      text-align: start;
      @media (max-width: 260px) {
        min-width: 0;
        overflow-wrap: anywhere;
      }
    }
    td {
      white-space: nowrap;
    }
    thead button {
      color: var(--dim);
      text-align: inherit;
      &:hover {
        color: var(--fg);
      }
    }
    [aria-sort='ascending'] .icon {
      transform: rotate(180deg);
    }
    tbody tr {
      cursor: pointer;
      &:hover {
        background: var(--hover);
      }
    }
    .is-chosen {
      background: var(--vscode-list-inactiveSelectionBackground, var(--card));
      th > button {
        font-weight: 600;
      }
    }
    body.vscode-high-contrast & .is-chosen {
      outline: 1px solid var(--vscode-contrastActiveBorder, var(--focus));
      outline-offset: -1px;
    }
    @media (max-width: 1100px) {
      .is-miss,
      .is-errors,
      .is-identifiers,
      .is-time {
        display: none;
      }
    }
    @media (max-width: 760px) {
      .is-commands,
      .is-saved,
      .is-userMessages,
      .is-modelCalls {
        display: none;
      }
    }
    /* These facts are in the line about the chosen strategy. */
    @media (max-width: 500px) {
      th,
      td {
        padding-inline: 4px;
      }
      .is-files,
      .is-rules,
      .is-worthIt {
        display: none;
      }
    }
  }
`);
