import type { WhatIfRow, WhatIfView } from '../../../src/protocol/inspector-what-if.ts';
import { element, type ItemView, KeyedList, plainButton, setAttribute } from '../../shared/dom.ts';
import { hasFocus } from '../../shared/focus.ts';
import { icon } from '../../shared/icons.ts';
import { formatMoney } from '../../shared/numbers.ts';
import {
  type ColumnName,
  columnNames,
  concernOf,
  shareColumns,
  sorted,
  type Sorting,
  titleOfRow,
  startsDescending,
  cellText,
} from './outcome-columns.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.whatIf;

interface Entry {
  readonly row: WhatIfRow;
  readonly isCurrent: boolean;
  /** True for the compaction that the agent actually made. */
  readonly isMade: boolean;
  /** Number of tokens at the full width of a bar. */
  readonly scale: number;
}

interface OutcomeTableOptions {
  readonly onPreview: (strategy: string) => void;
  readonly onLost: (strategy: string) => void;
}

/**
 * A table of the strategies with size, cost and kept facts. Any column can sort it. The agent's own compaction, if
 * compared, stays on top.
 */
export class OutcomeTable {
  readonly element: HTMLElement;
  private readonly options: OutcomeTableOptions;
  private readonly heads: ReadonlyMap<ColumnName, HTMLElement>;
  private readonly rows: KeyedList<Entry>;
  private sorting: Sorting = { column: 'tokens', isDescending: false };
  private view: WhatIfView | undefined;

  constructor(options: OutcomeTableOptions) {
    this.options = options;
    this.heads = new Map(columnNames.map((column) => [column, this.head(column)]));
    const body = element('tbody', { role: 'rowgroup' });
    // Explicit roles, because a narrow page shows the rows as cards.
    this.element = element(
      'table',
      { class: 'outcomes', role: 'table', 'aria-label': words.table },
      element(
        'thead',
        { role: 'rowgroup' },
        element(
          'tr',
          { role: 'row' },
          ...this.heads.values(),
          element(
            'th',
            { role: 'columnheader', scope: 'col' },
            element('span', { class: 'spoken' }, words.actions),
          ),
        ),
      ),
      body,
    );
    this.rows = new KeyedList<Entry>(body, {
      keyOf: ({ row }) => row.strategy,
      create: (entry) => this.row(entry),
      isSame: (shown, entry) => JSON.stringify(shown) === JSON.stringify(entry),
    });
    this.renderHeads();
  }

  render(view: WhatIfView): void {
    this.view = view;
    this.element.classList.toggle('is-stale', view.isStale);
    const { made, current, tokensBefore } = view;
    const rows = [...(made === undefined ? [] : [made]), ...sorted(view.rows, this.sorting)];
    const scale = Math.max(tokensBefore, ...rows.map(({ tokensAfter }) => tokensAfter));
    this.rows.render(
      rows.map((row) => ({ row, scale, isCurrent: row.strategy === current, isMade: row === made })),
    );
  }

  /** Focuses the button of a previewed strategy again. */
  focus(strategy: string): void {
    this.rows.get(strategy)?.element.querySelector<HTMLElement>('.preview')?.focus();
  }

  private head(column: ColumnName): HTMLElement {
    const button = plainButton(
      { class: 'sort' },
      () => this.sortBy(column),
      words.columns[column],
      element('span', { class: 'sort-sign', 'aria-hidden': 'true' }, icon('below')),
    );
    return element('th', { role: 'columnheader', scope: 'col', class: `is-${column}` }, button);
  }

  private sortBy(column: ColumnName): void {
    const { sorting } = this;
    const isSame = sorting.column === column;
    this.sorting = { column, isDescending: isSame ? !sorting.isDescending : startsDescending(column) };
    this.renderHeads();
    if (this.view !== undefined) this.render(this.view);
  }

  private renderHeads(): void {
    const { column: by, isDescending } = this.sorting;
    for (const [column, head] of this.heads) {
      const order = isDescending ? 'descending' : 'ascending';
      setAttribute(head, 'aria-sort', column === by ? order : undefined);
    }
  }

  private row(entry: Entry): ItemView<Entry> {
    const root = element('tr', { role: 'row' });
    const update = (next: Entry) => {
      const hadFocus = hasFocus(root);
      root.classList.toggle('is-current', next.isCurrent);
      root.classList.toggle('is-made', next.isMade);
      root.classList.toggle('is-idle', next.row.status !== 'applied');
      root.replaceChildren(...this.cells(next));
      if (hadFocus) root.querySelector<HTMLElement>('button')?.focus();
    };
    update(entry);
    return { element: root, update };
  }

  private cells({ row, isCurrent, isMade, scale }: Entry): readonly HTMLElement[] {
    const { strategy, status, reason, isEstimate } = row;
    const title = titleOfRow(row);
    const name = element(
      'th',
      { role: 'rowheader', scope: 'row', class: 'is-strategy' },
      title,
      isMade ? element('span', { class: 'dim' }, ` · ${words.made}`) : undefined,
      isCurrent ? element('span', { class: 'dim' }, ` · ${words.current}`) : undefined,
      isEstimate ? element('span', { class: 'dim' }, ` · ${words.estimate}`) : undefined,
    );
    if (status !== 'applied') {
      const what = status === 'unchanged' ? words.nothing : words.failedRow;
      const why = reason === undefined ? what : inspectorTexts.because({ what, reason });
      const span = columnNames.length;
      return [
        name,
        element('td', { role: 'cell', class: 'why dim', colspan: span, 'aria-colspan': span }, why),
      ];
    }
    const preview = plainButton(
      {
        class: 'outlined preview',
        'aria-label': isMade ? words.madeDiffLabel({ who: title }) : words.previewLabel({ strategy: title }),
      },
      () => this.options.onPreview(strategy),
      isMade ? words.madeDiff : words.preview,
    );
    return [
      name,
      ...columnNames.slice(1).map((column) => this.cell(row, column, scale)),
      element('td', { role: 'cell', class: 'is-action' }, preview),
    ];
  }

  private cell(row: WhatIfRow, column: ColumnName, scale: number): HTMLElement {
    const text = cellText(row, column);
    const concern = concernOf(row, column);
    const kind = shareColumns.get(column);
    const content =
      kind === undefined || concern === 'none'
        ? [element('span', { class: `concern-${concern}` }, text)]
        : [
            plainButton(
              {
                class: `lost concern-${concern}`,
                'aria-label': words.lost({ share: text, what: words.columns[column] }),
              },
              () => this.options.onLost(row.strategy),
              text,
            ),
          ];
    return element(
      'td',
      { role: 'cell', class: `is-${column}`, 'data-label': words.columns[column] },
      column === 'tokens' ? bar(row.tokensAfter, scale) : undefined,
      ...content,
      moneyOf(row, column),
    );
  }
}

/** The cost or savings in money, if prices are known. */
function moneyOf({ money }: WhatIfRow, column: ColumnName): HTMLElement | undefined {
  if (money === undefined) return undefined;
  const amount = column === 'saved' ? money.savedPerCall : column === 'miss' ? money.now : undefined;
  if (amount === undefined) return undefined;
  return element('span', { class: 'money dim' }, words.money({ amount: formatMoney(amount) }));
}

/** A bar. It is hidden from screen readers, because the number is next to it. */
function bar(size: number, scale: number): HTMLElement {
  const filled = element('i');
  filled.style.width = scale > 0 ? `${Math.min(100, (100 * size) / scale)}%` : '0';
  return element('span', { class: 'outcome-bar', 'aria-hidden': 'true' }, filled);
}
