import { css, html, type TemplateResult } from 'lit';
import { kinds } from '../../../src/protocol/engine-terms.ts';
import type { FlowView } from '../../../src/protocol/inspector-compactions.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { kindNames } from '../../shared/compaction-words.ts';
import { addStyles } from '../../shared/component.ts';
import { formatCount } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.record;
const ways = ['kept', 'shortened', 'summarised', 'gone'] as const;

type Sizes = Pick<RecordView, 'byKindBefore' | 'byKindAfter' | 'tokensBefore' | 'tokensAfter'>;

/** The sizes of each kind before and after, and what happened to its tokens. Scrolls sideways if it has to. */
export function flowTable(record: Sizes, flow?: FlowView, unseen = 0): TemplateResult {
  const { byKindBefore, byKindAfter, tokensBefore, tokensAfter } = record;
  const shown = flow === undefined ? [] : ways;
  const total = (way: (typeof ways)[number]) =>
    kinds.reduce((sum, kind) => sum + (flow?.kinds[kind]?.[way] ?? 0), way === 'kept' ? unseen : 0);
  const row = (name: string, numbers: readonly number[], kind = '') =>
    html`<tr>
      <th scope="row">
        ${kind === '' ? '' : html`<i class="swatch kind kind-${kind}" aria-hidden="true"></i>`}${name}
      </th>
      ${numbers.map((tokens) => html`<td>${tokens === 0 ? '' : formatCount(tokens)}</td>`)}
    </tr>`;
  return html`<div class="flow-table" tabindex="0" role="region" aria-label=${words.table}>
    <table>
      <caption class="spoken">
        ${words.table}
      </caption>
      <thead>
        <tr>
          ${[words.kind, words.before, ...shown.map((way) => words.ways[way]), words.after].map(
            (name) => html`<th scope="col">${name}</th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${
          unseen === 0
            ? ''
            : row(
                words.notInFile,
                [unseen, ...shown.map((way) => (way === 'kept' ? unseen : 0)), unseen],
                'notInFile',
              )
        }
        ${kinds
          .filter((kind) => byKindBefore[kind] > 0 || byKindAfter[kind] > 0)
          .map((kind) =>
            row(
              kindNames[kind],
              [byKindBefore[kind], ...shown.map((way) => flow?.kinds[kind]?.[way] ?? 0), byKindAfter[kind]],
              kind,
            ),
          )}
        ${row(words.total, [tokensBefore + unseen, ...shown.map(total), tokensAfter + unseen])}
      </tbody>
    </table>
  </div>`;
}

addStyles(css`
  .flow-table {
    overflow-x: auto;
    table {
      margin: 4px 0;
      border-collapse: collapse;
      font-variant-numeric: tabular-nums;
    }
    th,
    td {
      padding: 1px 12px 1px 0;
      font-weight: 400;
      text-align: end;
      white-space: nowrap;
    }
    th:first-child {
      text-align: start;
    }
    thead th {
      color: var(--dim);
      &::first-letter {
        text-transform: uppercase;
      }
    }
    .swatch {
      display: inline-block;
      margin-inline-end: 7px;
    }
  }
`);
