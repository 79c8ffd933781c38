import type {
  DiffRowView,
  InspectorNotification,
  InspectorRequest,
  RecordView,
} from '../../../src/extension/protocol/inspector.ts';
import { element, freshId, KeyedList, setText } from '../../dom.ts';
import { formatCount } from '../../numbers.ts';
import type { OpenRows } from '../../remembered.ts';
import { strings } from '../strings.ts';
import type { Filter } from '../view-state.ts';
import { DiffStore } from './diff-store.ts';
import { FilterBar, passes } from './filter-bar.ts';
import { rowView } from './row-view.ts';
import { RovingStops } from './roving-stops.ts';

const words = strings.diff;

export interface DiffViewOptions {
  readonly post: (request: InspectorRequest) => void;
  readonly open: OpenRows;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

/** What one compaction did to each message. */
export class DiffView {
  readonly element: HTMLElement;
  private readonly options: DiffViewOptions;
  private readonly record: RecordView;
  private readonly store: DiffStore;
  private readonly filters: FilterBar;
  private readonly list = element('ol', { class: 'diff-rows' });
  private readonly rows: KeyedList<DiffRowView>;
  private readonly stops: RovingStops;
  private readonly note = element('p', { class: 'dim loading', role: 'status' }, words.loading);
  private shown: readonly DiffRowView[] = [];
  private filter: Filter;

  constructor(record: RecordView, options: DiffViewOptions) {
    const { post, open } = options;
    const id = freshId();
    this.options = options;
    this.record = record;
    this.filter = options.filter;
    this.store = new DiffStore(record.id, post);
    this.filters = new FilterBar((filter) => this.changeFilter(filter));
    const context = { store: this.store, open, post, canRestore: !record.isUndone };
    this.rows = new KeyedList<DiffRowView>(this.list, {
      keyOf: ({ index }) => String(index),
      create: (row) => rowView(row, context),
      isSame: (shown, row) => JSON.stringify(shown) === JSON.stringify(row),
    });
    this.list.setAttribute('aria-labelledby', id);
    this.stops = new RovingStops(this.list);
    this.filters.element.hidden = true;
    this.element = element(
      'section',
      { class: 'diff', 'aria-labelledby': id },
      element('h3', { id, class: 'spoken' }, words.title),
      this.filters.element,
      element(
        'div',
        { class: 'diff-head columns-grid dim' },
        element('span', {}, words.before(formatCount(record.tokensBefore))),
        element('span'),
        element('span', {}, words.after(formatCount(record.tokensAfter))),
      ),
      this.list,
      this.note,
    );
  }

  get recordId(): string {
    return this.record.id;
  }

  /** Whether the diff is still right for a record; once the record was undone, nothing can be restored any more. */
  isFor(record: RecordView): boolean {
    return record.id === this.record.id && record.isUndone === this.record.isUndone;
  }

  request(): void {
    this.options.post({ type: 'diff', recordId: this.record.id });
  }

  show(rows: readonly DiffRowView[]): void {
    this.shown = rows;
    this.rows.render(rows);
    this.filters.element.hidden = false;
    // What another record's diff was filtered by may not occur in this one.
    if (!rows.some((row) => passes(row, this.filter))) this.filter = {};
    this.applyFilter();
  }

  receive(notification: Extract<InspectorNotification, { type: 'sources' | 'texts' }>): void {
    this.store.receive(notification);
    this.stops.refresh();
  }

  private changeFilter(filter: Filter): void {
    this.filter = filter;
    this.options.onFilter(filter);
    this.applyFilter();
  }

  private applyFilter(): void {
    let matches = 0;
    for (const row of this.shown) {
      const isShown = passes(row, this.filter);
      if (isShown) matches++;
      const view = this.rows.get(String(row.index));
      if (view !== undefined) view.element.hidden = !isShown;
    }
    setText(this.note, matches === 0 ? words.nothingMatches : '');
    this.filters.render(this.shown, this.filter);
    this.stops.refresh();
  }
}
