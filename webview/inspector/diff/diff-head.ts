import { css, html, nothing, type TemplateResult } from 'lit';
import type { DiffRowView, RecordView } from '../../../src/protocol/inspector-records.ts';
import { addStyles } from '../../shared/component.ts';
import { iconButton } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import type { Filter } from '../page/inspector-view-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { filterButton, filterChips } from './filter-bar.ts';
import type { DiffSearch } from './search-bar.ts';

const words = inspectorTexts.diff;
const steps = inspectorTexts.compactionsTab;

/** The subject of a diff: a compaction, or a comparison of two views. */
export type DiffSubject = Pick<RecordView, 'id' | 'isUndone' | 'tokensBefore' | 'tokensAfter'>;

interface DiffHead {
  readonly subject: DiffSubject;
  readonly rows: readonly DiffRowView[] | undefined;
  readonly search: DiffSearch;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
  /** Number of changed rows, and the position of the current one among them. */
  readonly changes: number;
  readonly place: number | undefined;
  readonly onStep: (by: 1 | -1) => void;
}

/** The heads of both columns, which stay in sight, with the search, the filters and the buttons between changes. */
export function diffHead({ subject, rows, search, filter, onFilter, ...head }: DiffHead): TemplateResult {
  return html`<div class="diff-head">
    <div class="columns-grid">
      <div class="diff-side">
        <span><b>${words.before}</b> ${sizeOf(subject.tokensBefore, rows, countBefore)}</span>
        ${rows === undefined ? nothing : search.field()}
      </div>
      <span></span>
      <div class="diff-side">
        <span><b>${words.after}</b> ${sizeOf(subject.tokensAfter, rows, countAfter)}</span>
        ${rows === undefined ? nothing : [filterButton(rows, filter, onFilter), stepButtons(head)]}
      </div>
    </div>
    ${search.status()} ${filterChips(filter, onFilter)}
  </div>`;
}

function stepButtons({ changes, place, onStep }: Pick<DiffHead, 'changes' | 'place' | 'onStep'>): unknown {
  const text =
    place === undefined
      ? steps.changes({ count: changes })
      : steps.place({ index: formatCount(place + 1), total: formatCount(changes) });
  return html`<span class="steps" ?hidden=${changes === 0}>
    ${iconButton('up', steps.previousChange, () => onStep(-1))}
    ${iconButton('below', steps.nextChange, () => onStep(1))}
    <span class="dim" role="status">${text}</span>
  </span>`;
}

/** Tokens and messages of one side. The messages are counted when the rows have arrived. */
function sizeOf(
  tokens: number,
  rows: readonly DiffRowView[] | undefined,
  countOf: (row: DiffRowView) => number,
): string {
  if (rows === undefined) return formatCount(tokens);
  return words.size({ tokens, count: rows.reduce((total, row) => total + countOf(row), 0) });
}

function countBefore({ sourceCount }: DiffRowView): number {
  return sourceCount;
}

function countAfter({ fate, sourceCount, output }: DiffRowView): number {
  return fate === 'keep' ? sourceCount : output === undefined ? 0 : 1;
}

addStyles(css`
  .columns-grid {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 26px minmax(0, 1fr);
    @media (max-width: 699px) {
      grid-template-columns: minmax(0, 1fr);
    }
  }
  .diff-head {
    position: sticky;
    z-index: 3;
    top: 0;
    margin-inline-end: 22px;
    padding: 3px 0;
    border-bottom: 1px solid var(--line);
    background: var(--surface);
    font-variant-numeric: tabular-nums;
  }
  .diff-side {
    display: flex;
    align-items: center;
    gap: 2px 10px;
    min-height: 26px;
    > span:first-child {
      flex: 1 1 auto;
      min-width: 0;
      overflow: hidden;
      color: var(--dim);
      text-overflow: ellipsis;
      white-space: nowrap;
    }
    b {
      color: var(--fg);
      font-weight: 600;
    }
    > .field {
      flex: 1 1 110px;
      max-width: 190px;
    }
  }
  .steps {
    flex: none;
    white-space: nowrap;
  }
  .steps,
  .search {
    display: flex;
    align-items: center;
    flex-wrap: wrap;
    gap: 4px;
  }
  .search {
    flex-wrap: nowrap;
    > [role='status'] {
      flex: 1 1 0;
      min-width: 0;
      overflow: hidden;
      text-overflow: ellipsis;
      white-space: nowrap;
    }
  }
  .search,
  .chips {
    padding-top: 3px;
  }
  .chips {
    display: flex;
    flex-wrap: wrap;
    gap: 6px;
  }
  .chip {
    padding: 0 9px;
    border: 1px solid var(--line);
    border-radius: 11px;
    line-height: 20px;
    &:hover {
      background: var(--hover);
    }
  }
  @media (max-width: 480px) {
    .diff-head {
      margin-inline-end: 0;
    }
    .diff-side {
      flex-wrap: wrap;
    }
  }
`);
