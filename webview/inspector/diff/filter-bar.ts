import { kinds } from '../../../src/compaction/message.ts';
import type { Fate } from '../../../src/compaction/record.ts';
import type { DiffRowView } from '../../../src/extension/protocol/inspector.ts';
import { element, type ItemView, KeyedList, setAttribute } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { kindNames } from '../../kind-names.ts';
import { formatCount } from '../../numbers.ts';
import { controlDropdown } from '../../toolkit.ts';
import { strings } from '../strings.ts';
import { fateOrder, type Filter } from '../view-state.ts';

const words = strings.diff;

interface Chip {
  /** Undefined: every fate. */
  readonly fate?: Fate;
  readonly count: string;
  readonly isChosen: boolean;
}

/** True for a row that the filter lets through. */
export function passes({ fate, kinds: ofSources, output }: DiffRowView, filter: Filter): boolean {
  if (filter.fate !== undefined && filter.fate !== fate) return false;
  const { kind } = filter;
  return kind === undefined || (ofSources[kind] ?? 0) > 0 || output?.kind === kind;
}

/** Chooses which rows of the diff are shown: by what became of messages, and by their kind. */
export class FilterBar {
  readonly element: HTMLElement;
  private readonly chips: KeyedList<Chip>;
  private readonly kind;
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
    this.element = element('div', { class: 'filters' }, chips, this.kind.element);
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
  }
}

/** Messages with a fate; for summaries, also how many came of them. */
function countOf(rows: readonly DiffRowView[], fate: Fate): string {
  const ofFate = rows.filter((row) => row.fate === fate);
  if (fate === 'insert') return formatCount(ofFate.length);
  const count = formatCount(sum(ofFate.map(({ sourceCount }) => sourceCount)));
  return fate === 'summarise' ? strings.fromTo(count, formatCount(ofFate.length)) : count;
}

function chipView(chip: Chip, onClick: () => void): ItemView<Chip> {
  const count = element('span', { class: 'chip-count' });
  const button = element(
    'button',
    { type: 'button', class: 'chip' },
    chip.fate === undefined
      ? words.all
      : element(
          'span',
          { class: `fate-word fate-${chip.fate}` },
          icon(chip.fate),
          strings.fateChips[chip.fate],
        ),
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
