import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import { element, plainButton, setText } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.compactionsTab;

/** Buttons to move between changes. They skip kept messages and show the position. */
export class ChangeSteps {
  readonly element: HTMLElement;
  private readonly elementOf: (index: number) => HTMLElement | undefined;
  private readonly place = element('span', { class: 'dim', 'aria-hidden': 'true' });
  private readonly spoken = element('span', { class: 'spoken', role: 'status' });
  /** Indices of the changed rows, in order. */
  private changes: readonly number[] = [];
  /** Index of the row where the user is. The row may have been filtered out. */
  private current: number | undefined;

  /**
   * @param list element with the rows, which contain their index
   * @param elementOf returns the row with an index, and draws it if necessary
   */
  constructor(list: HTMLElement, elementOf: (index: number) => HTMLElement | undefined) {
    this.elementOf = elementOf;
    this.element = element(
      'div',
      { class: 'steps' },
      plainButton(
        { class: 'step', 'aria-label': words.previousChange, title: words.previousChange },
        () => this.move(-1),
        icon('up'),
      ),
      plainButton(
        { class: 'step', 'aria-label': words.nextChange, title: words.nextChange },
        () => this.move(1),
        icon('below'),
      ),
      this.place,
      this.spoken,
    );
    list.addEventListener('focusin', ({ target }) => {
      const row = target instanceof HTMLElement ? target.closest<HTMLElement>('.diff-row') : null;
      if (row !== null) this.current = Number(row.dataset['index']);
    });
  }

  /** @returns true if the key was handled */
  handleKey(event: KeyboardEvent): boolean {
    if (event.key !== 'F7') return false;
    event.preventDefault();
    // VS Code around the page uses the same key.
    event.stopPropagation();
    this.move(event.shiftKey ? -1 : 1);
    return true;
  }

  /** @param rows the displayed rows */
  refresh(rows: readonly DiffRowView[]): void {
    this.changes = rows.filter(({ fate }) => fate !== 'keep').map(({ index }) => index);
    const { length } = this.changes;
    setText(this.place, words.changes({ count: length }));
    this.element.hidden = length === 0;
  }

  /** Moves to the next or the previous change, and continues at the other end. */
  move(by: 1 | -1): void {
    const { changes } = this;
    const position = this.nextPosition(by);
    const next = changes[position];
    const row = next === undefined ? undefined : this.elementOf(next);
    if (row === undefined) return;
    this.current = next;
    const [place, total] = [formatCount(position + 1), formatCount(changes.length)];
    setText(this.place, words.place({ index: place, total }));
    setText(this.spoken, words.placeSpoken({ index: place, total }));
    row.scrollIntoView({ block: 'center' });
    row.querySelector<HTMLElement>('[data-stop]')?.focus({ preventScroll: true });
  }

  /** The next position from the current row; continues at the other end. */
  private nextPosition(by: 1 | -1): number {
    const { changes, current } = this;
    const last = changes.length - 1;
    if (current === undefined) return by > 0 ? 0 : last;
    const position =
      by > 0
        ? changes.findIndex((index) => index > current)
        : changes.findLastIndex((index) => index < current);
    if (position >= 0) return position;
    return by > 0 ? 0 : last;
  }
}
