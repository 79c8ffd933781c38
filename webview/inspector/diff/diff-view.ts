import { dispatch, type Handlers } from '../../../src/protocol/messages.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import type {
  DiffMatch,
  DiffNotification,
  diffNotifications,
} from '../../../src/protocol/inspector-compactions.ts';
import type { DiffRowView, RecordView } from '../../../src/protocol/inspector-records.ts';
import { element, freshId, type ItemView, setText } from '../../shared/dom.ts';
import { GroupedList } from '../../shared/grouped-list.ts';
import type { OpenRows } from '../../shared/host.ts';
import type { Filter } from '../page/inspector-view-state.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import { ChangeSteps } from './change-steps.ts';
import { type DiffContext, DiffStore, keysTo } from './diff-context.ts';
import { FilterBar, passes } from './filter-bar.ts';
import { firstPlaceIn, markPlaces, SearchBar } from './search-bar.ts';
import { rowView } from './diff-row.ts';
import { RovingStops } from './disclosure-line.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.diff;

/** The subject of a diff: a compaction, or a comparison of two views. */
type DiffSubject = Pick<RecordView, 'id' | 'isUndone' | 'tokensBefore' | 'tokensAfter'>;

interface DiffViewOptions {
  readonly post: (request: InspectorRequest) => void;
  readonly open: OpenRows;
  /** True if messages can be restored here while the record is in force. */
  readonly canRestore: boolean;
  readonly canPin: boolean;
  /** Menu of manual actions; absent if no action is possible. */
  readonly menu?: MessageMenu;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

/** The diff of a compaction, which shows the effect on each message. */
export class DiffView {
  readonly element: HTMLElement;
  private readonly options: DiffViewOptions;
  private readonly record: DiffSubject;
  private readonly store: DiffStore;
  private readonly filters: FilterBar;
  private readonly list = element('div', { class: 'diff-rows', role: 'list' });
  private readonly rows: GroupedList<DiffRowView, ItemView<DiffRowView>>;
  private readonly stops: RovingStops;
  private readonly steps: ChangeSteps;
  private readonly search: SearchBar;
  private readonly tools: HTMLElement;
  private readonly note = element('p', { class: 'dim loading', role: 'status' }, words.loading);
  private all: readonly DiffRowView[] = [];
  private filter: Filter;
  /** Key of a row to show when it is loaded. */
  private awaited: string | undefined;
  private isMarking = false;

  private readonly handlers: Handlers<typeof diffNotifications> = {
    diff: ({ rows }) => this.show(rows),
    sources: ({ index, sources }) => {
      this.store.sources.receive(index, sources);
      this.changed();
    },
    texts: (texts) => {
      this.store.texts.receive(texts.messageId, texts);
      this.changed();
    },
    'diff-matches': (found) => {
      this.search.receive(found);
      this.changed();
    },
  };

  constructor(record: DiffSubject, options: DiffViewOptions) {
    const { post, open, canRestore, canPin } = options;
    const id = freshId();
    this.options = options;
    this.record = record;
    this.filter = options.filter;
    this.store = new DiffStore(record.id, post);
    this.filters = new FilterBar((filter) => this.changeFilter(filter));
    this.search = new SearchBar({
      onSearch: (query) => this.startSearch(query),
      onShow: (match) => this.reveal(match),
    });
    const context: DiffContext = {
      store: this.store,
      open,
      post,
      canRestore: canRestore && !record.isUndone,
      canPin,
      menu: options.menu,
      goTo: (key) => this.goTo(key),
    };
    this.rows = new GroupedList<DiffRowView, ItemView<DiffRowView>>(this.list, {
      keyOf: ({ index }) => String(index),
      create: (row) => rowView(row, context),
      isSame: (shown, row) => JSON.stringify(shown) === JSON.stringify(row),
      from: 'start',
      group: { class: 'diff-group', role: 'none' },
      onDrawn: () => this.markSoon(),
    });
    this.list.setAttribute('aria-labelledby', id);
    this.stops = new RovingStops(this.list, () => this.rows.drawAll());
    this.steps = new ChangeSteps(this.list, (index) => this.rows.get(String(index))?.element);
    const tools = element('div', { class: 'diff-tools' }, this.search.element, this.steps.element);
    this.tools = element('div', { class: 'diff-controls', hidden: true }, this.filters.element, tools);
    // Opened texts may also contain matches.
    this.list.addEventListener('click', () => this.markSoon());
    this.element = element(
      'section',
      { class: 'diff', 'aria-labelledby': id },
      element('h3', { id, class: 'spoken' }, words.title),
      this.tools,
      element(
        'div',
        { class: 'diff-head columns-grid dim' },
        element('span', {}, words.before({ tokens: record.tokensBefore })),
        element('span'),
        element('span', {}, words.after({ tokens: record.tokensAfter })),
      ),
      this.list,
      this.note,
    );
  }

  get recordId(): string {
    return this.record.id;
  }

  /** True if this diff belongs to a record in its current state. After an undo, nothing can be restored. */
  isFor(record: RecordView): boolean {
    return record.id === this.record.id && record.isUndone === this.record.isUndone;
  }

  request(): void {
    this.options.post({ type: 'diff', recordId: this.record.id });
  }

  private show(rows: readonly DiffRowView[]): void {
    this.all = rows;
    this.tools.hidden = false;
    // A filter for another record may leave no rows here.
    if (!rows.some((row) => passes(row, this.filter))) this.filter = {};
    this.applyFilter();
  }

  receive(notification: DiffNotification): void {
    dispatch(this.handlers, notification);
  }

  /** Updates the page after rows were added or marked. */
  private changed(): void {
    this.stops.refresh();
    this.markSoon();
  }

  /** Moves to the next change or to the previous one. */
  step(by: 1 | -1): void {
    this.steps.move(by);
  }

  /** Handles F7 to move between changes, as in VS Code, and Ctrl+F or ⌘F to search. */
  handleKey(event: KeyboardEvent): void {
    if (this.steps.handleKey(event)) return;
    if (event.key.toLowerCase() !== 'f' || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    event.preventDefault();
    this.search.focus();
  }

  private startSearch(query: string): void {
    if (query !== '') this.options.post({ type: 'search-diff', recordId: this.record.id, query });
    this.markSoon();
  }

  /** Opens all rows around a message so that it is visible. */
  private reveal(match: DiffMatch): void {
    const row = this.all[match.index];
    if (row === undefined) return;
    if (!passes(row, this.filter)) this.changeFilter({});
    const keys = keysTo(row, match);
    this.awaited = keys.at(-1);
    const view = this.rows.get(String(row.index));
    const missing = keys.filter((key) => !this.options.open.has(key));
    for (const key of missing) this.options.open.set(key, true);
    if (missing.length > 0) view?.update(row);
    this.markSoon();
  }

  private goTo(key: string): void {
    const line = this.lineOf(key);
    line?.scrollIntoView({ block: 'center' });
    line?.focus({ preventScroll: true });
  }

  private lineOf(key: string): HTMLElement | undefined {
    return this.list.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`) ?? undefined;
  }

  /** Marks matches once after several changes. */
  private markSoon(): void {
    if (this.isMarking) return;
    this.isMarking = true;
    requestAnimationFrame(() => {
      this.isMarking = false;
      markPlaces(this.list, this.search.query);
      this.showAwaited();
    });
  }

  /** Shows the awaited row. The texts of a message arrive after it was opened. */
  private showAwaited(): void {
    const line = this.awaited === undefined ? undefined : this.lineOf(this.awaited);
    if (line === undefined) return;
    line.scrollIntoView({ block: 'nearest' });
    const panel = line.nextElementSibling;
    const place = panel instanceof HTMLElement ? firstPlaceIn(panel) : undefined;
    if (place === undefined) return;
    this.awaited = undefined;
    const box = place.startContainer.parentElement?.closest('pre');
    if (!(box instanceof HTMLElement)) return;
    const { top } = place.getBoundingClientRect();
    box.scrollTop += top - box.getBoundingClientRect().top - box.clientHeight / 3;
    box.scrollIntoView({ block: 'nearest' });
  }

  private changeFilter(filter: Filter): void {
    this.filter = filter;
    this.options.onFilter(filter);
    this.applyFilter();
  }

  private applyFilter(): void {
    const shown = this.all.filter((row) => passes(row, this.filter));
    this.rows.render(shown);
    setText(this.note, shown.length === 0 ? words.nothingMatches : '');
    this.filters.render(this.all, this.filter);
    this.steps.refresh(shown);
    this.stops.refresh();
  }
}
