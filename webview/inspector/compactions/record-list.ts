import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import { StackedBar } from '../../shared/bar.ts';
import { kindSegments } from '../../shared/stacked-bar.ts';
import { compactionNotes, strategyName } from '../../shared/compaction-words.ts';
import { element, freshId, type ItemView, KeyedList, setAttribute, setText } from '../../shared/dom.ts';
import { formatTime } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

interface Entry {
  readonly record: RecordView;
  readonly isSelected: boolean;
  /** Tokens at the full width of the small bars. Equal for all bars, so that they can be compared. */
  readonly scale: number;
}

/** The list of the session's compactions. The user selects one by click or by arrow keys. */
export class RecordList {
  readonly element: HTMLElement;
  private readonly onSelect: (recordId: string) => void;
  private readonly entries: KeyedList<Entry>;
  private records: readonly RecordView[] = [];
  private selectedId: string | undefined;

  constructor(onSelect: (recordId: string) => void) {
    this.onSelect = onSelect;
    this.element = element('div', {
      class: 'records',
      role: 'listbox',
      'aria-label': inspectorTexts.compactions,
      tabindex: 0,
    });
    this.entries = new KeyedList<Entry>(this.element, {
      keyOf: ({ record }) => record.id,
      create: (entry) => this.create(entry),
      isSame: (shown, entry) => JSON.stringify(shown) === JSON.stringify(entry),
    });
    this.element.addEventListener('keydown', (event) => this.keyPressed(event));
  }

  render(records: readonly RecordView[], selectedId: string | undefined): void {
    this.records = records;
    this.selectedId = selectedId;
    const scale = Math.max(...records.map(({ tokensBefore }) => tokensBefore));
    this.entries.render(records.map((record) => ({ record, scale, isSelected: record.id === selectedId })));
    const selected = selectedId === undefined ? undefined : this.entries.get(selectedId)?.element;
    setAttribute(this.element, 'aria-activedescendant', selected?.id);
  }

  private create(entry: Entry): ItemView<Entry> {
    const view = entryView(entry);
    view.element.addEventListener('click', () => this.onSelect(entry.record.id));
    return view;
  }

  private keyPressed(event: KeyboardEvent): void {
    const index = this.records.findIndex(({ id }) => id === this.selectedId);
    const last = this.records.length - 1;
    const places: Readonly<Record<string, number>> = {
      ArrowUp: Math.max(0, index - 1),
      ArrowDown: Math.min(last, index + 1),
      Home: 0,
      End: last,
    };
    const next = this.records[places[event.key] ?? -1];
    if (next === undefined) return;
    event.preventDefault();
    this.onSelect(next.id);
    this.entries.get(next.id)?.element.scrollIntoView({ block: 'nearest' });
  }
}

function entryView(entry: Entry): ItemView<Entry> {
  const name = element('b');
  const status = element('span', { class: 'status' });
  const trigger = element('span', { class: 'dim' });
  const time = element('time', { class: 'dim' });
  const before = new StackedBar();
  const after = new StackedBar();
  const bars = element('div', { class: 'mini-bars' }, before.element, after.element);
  const words = element('div', { class: 'dim record-words' });
  const root = element(
    'div',
    { id: freshId(), class: 'record', role: 'option' },
    element('div', { class: 'record-top' }, element('div', {}, name, status, trigger), time),
    bars,
    words,
  );
  const update = ({ record, isSelected, scale }: Entry) => {
    setAttribute(root, 'aria-selected', String(isSelected));
    setText(
      name,
      strategyName(record.status === 'applied' ? record.actualStrategy : record.requestedStrategy),
    );
    setText(trigger, startOf(record));
    setText(time, formatTime(record.createdAt));
    setAttribute(time, 'datetime', record.createdAt);
    setText(status, statusOf(record));
    status.hidden = status.textContent === '';
    root.classList.toggle('is-undone', record.isUndone);
    bars.hidden = record.status !== 'applied';
    before.render({ segments: kindSegments(record.byKindBefore, record.tokensBefore), scale });
    after.render({ segments: kindSegments(record.byKindAfter, record.tokensAfter), scale });
    setText(words, wordsOf(record));
  };
  update(entry);
  return { element: root, update };
}

/** The reason for the start of a compaction, in a few words. */
function startOf({ trigger, start }: RecordView): string {
  return start === 'background' ? inspectorTexts.inBackground : inspectorTexts.triggers[trigger];
}

function statusOf({ status, isUndone }: RecordView): string {
  if (status !== 'applied') return inspectorTexts.statuses[status];
  return isUndone ? inspectorTexts.undone : '';
}

function wordsOf(record: RecordView): string {
  if (record.status !== 'applied') return record.reason ?? inspectorTexts.nothingChanged;
  const { kept, total } = record.coverage.files;
  return [
    inspectorTexts.fromTo({ before: record.tokensBefore, after: record.tokensAfter }),
    ...(total > 0 ? [inspectorTexts.filesKept({ kept, total })] : []),
    ...(record.actualStrategy === record.requestedStrategy
      ? []
      : [inspectorTexts.inPlaceOf({ strategy: strategyName(record.requestedStrategy) })]),
    ...compactionNotes(record),
  ].join(' · ');
}
