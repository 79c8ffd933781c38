import { kinds, type RowFate } from '../../../src/protocol/engine-terms.ts';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import { element, freshId, type ItemView, KeyedList, setAttribute } from '../../shared/dom.ts';
import { fateName, kindNames } from '../../shared/compaction-words.ts';
import { icon } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { controlDropdown } from '../../shared/controls.ts';
import { fateOrder, type Filter } from '../page/inspector-view-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.diff;

interface Chip {
  /** The fate to show; undefined for all fates. */
  readonly fate?: RowFate;
  readonly count: string;
  readonly isChosen: boolean;
}

/** True if the filter lets the row through. */
export function passes(
  { fate, kinds: ofSources, output, tools = [], files = [] }: DiffRowView,
  filter: Filter,
): boolean {
  const { kind, tool, file } = filter;
  if (filter.fate !== undefined && filter.fate !== fate) return false;
  if (tool !== undefined && !tools.includes(tool)) return false;
  if (file !== undefined && !files.some((path) => path.toLowerCase().includes(file.toLowerCase()))) {
    return false;
  }
  return kind === undefined || (ofSources[kind] ?? 0) > 0 || output?.kind === kind;
}

/** Maximum number of files offered while the user types. */
const filesOffered = 200;

/** Filters for the rows of the diff: by fate, kind, tool and file. */
export class FilterBar {
  readonly element: HTMLElement;
  private readonly chips: KeyedList<Chip>;
  private readonly kind;
  private readonly tool;
  private readonly file: HTMLInputElement;
  private readonly files: HTMLElement;
  private filter: Filter = {};

  constructor(onChange: (filter: Filter) => void) {
    const change = (filter: Filter) => {
      this.filter = filter;
      onChange(filter);
    };
    const chips = element('div', { class: 'chips', role: 'group', 'aria-label': words.filter });
    this.chips = new KeyedList<Chip>(chips, {
      keyOf: ({ fate }) => fate ?? 'all',
      create: (chip) => chipView(chip, () => change({ ...this.filter, fate: chip.fate })),
    });
    this.kind = controlDropdown(words.kind, (value) => {
      change({ ...this.filter, kind: kinds.find((kind) => kind === value) });
    });
    this.tool = controlDropdown(inspectorTexts.compactionsTab.tool, (value) => {
      change({ ...this.filter, tool: value === '' ? undefined : value });
    });
    const id = freshId();
    this.files = element('datalist', { id });
    this.file = element('input', {
      type: 'text',
      class: 'field',
      list: id,
      spellcheck: 'false',
      autocomplete: 'off',
      placeholder: inspectorTexts.compactionsTab.filePlaceholder,
      'aria-label': inspectorTexts.compactionsTab.file,
    });
    this.file.addEventListener('input', () => {
      const file = this.file.value.trim();
      change({ ...this.filter, file: file === '' ? undefined : file });
    });
    this.element = element(
      'div',
      { class: 'filters' },
      chips,
      element('div', { class: 'filter-fields' }, this.kind.element, this.tool.element, this.file, this.files),
    );
  }

  render(rows: readonly DiffRowView[], filter: Filter): void {
    this.filter = filter;
    const present = fateOrder.filter((fate) => rows.some((row) => row.fate === fate));
    const all = formatCount(sum(rows.map(({ sourceCount }) => sourceCount)));
    this.chips.render([
      { count: all, isChosen: filter.fate === undefined },
      ...present.map((fate) => ({ fate, count: countOf(rows, fate), isChosen: filter.fate === fate })),
    ]);
    const found = kinds.filter((kind) => rows.some((row) => passes(row, { kind })));
    this.kind.show(
      [
        { value: '', label: words.anyKind },
        ...found.map((kind) => ({ value: kind, label: kindNames[kind] })),
      ],
      filter.kind ?? '',
    );
    const tools = namesIn(rows, ({ tools: ofRow }) => ofRow);
    this.tool.element.hidden = tools.length === 0;
    this.tool.show(
      [
        { value: '', label: inspectorTexts.compactionsTab.anyTool },
        ...tools.map((tool) => ({ value: tool, label: tool })),
      ],
      filter.tool ?? '',
    );
    this.renderFiles(
      namesIn(rows, ({ files }) => files),
      filter.file ?? '',
    );
  }

  private renderFiles(files: readonly string[], chosen: string): void {
    this.file.hidden = files.length === 0;
    // Text that the user is typing is not replaced.
    if (this.file.value.trim() !== chosen) this.file.value = chosen;
    if (this.files.childElementCount > 0) return;
    this.files.append(...files.slice(0, filesOffered).map((value) => element('option', { value })));
  }
}

/** Names without duplicates, in alphabetical order. */
function namesIn(
  rows: readonly DiffRowView[],
  namesOf: (row: DiffRowView) => readonly string[] | undefined,
): readonly string[] {
  return [...new Set(rows.flatMap((row) => namesOf(row) ?? []))].toSorted();
}

/** Number of messages with a fate; for summaries, also the number of summaries. */
function countOf(rows: readonly DiffRowView[], fate: RowFate): string {
  const ofFate = rows.filter((row) => row.fate === fate);
  if (fate === 'insert' || fate === 'restore') return formatCount(ofFate.length);
  const count = formatCount(sum(ofFate.map(({ sourceCount }) => sourceCount)));
  return fate === 'summarise' ? inspectorTexts.fromTo({ before: count, after: ofFate.length }) : count;
}

function chipView(chip: Chip, onClick: () => void): ItemView<Chip> {
  const count = element('span', { class: 'chip-count' });
  const button = element(
    'button',
    { type: 'button', class: 'chip' },
    chip.fate === undefined
      ? words.all
      : element('span', { class: `fate-word fate-${chip.fate}` }, icon(chip.fate), fateName(chip.fate)),
    ' ',
    count,
  );
  button.addEventListener('click', onClick);
  const update = (next: Chip) => {
    count.textContent = next.count;
    setAttribute(button, 'aria-pressed', String(next.isChosen));
  };
  update(chip);
  return { element: button, update };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
