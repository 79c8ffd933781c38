import { element, plainButton, setText } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { formatCount } from '../../numbers.ts';
import { compactionStrings } from '../compactions/strings.ts';

const words = compactionStrings;

/** Goes from one change to the next, past the messages that were kept, and says which it is. */
export class ChangeSteps {
  readonly element: HTMLElement;
  private readonly list: HTMLElement;
  private readonly place = element('span', { class: 'dim', 'aria-hidden': 'true' });
  private readonly spoken = element('span', { class: 'spoken', role: 'status' });
  private current: HTMLElement | undefined;

  /** @param list whose rows have the class of their fate */
  constructor(list: HTMLElement) {
    this.list = list;
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
      if (target instanceof HTMLElement) this.current = target.closest<HTMLElement>('.diff-row') ?? undefined;
    });
  }

  /** @returns whether the key was one of these */
  handleKey(event: KeyboardEvent): boolean {
    if (event.key !== 'F7') return false;
    event.preventDefault();
    this.move(event.shiftKey ? -1 : 1);
    return true;
  }

  /** After the rows changed. */
  refresh(): void {
    const { length } = this.changes();
    setText(this.place, words.changes(length, formatCount(length)));
    this.element.hidden = length === 0;
  }

  private move(by: number): void {
    const changes = this.changes();
    if (changes.length === 0) return;
    const next = changes[this.nextIndex(changes, by)];
    if (next === undefined) return;
    this.current = next;
    const [index, total] = [formatCount(changes.indexOf(next) + 1), formatCount(changes.length)];
    setText(this.place, words.place(index, total));
    setText(this.spoken, words.placeSpoken(index, total));
    next.scrollIntoView({ block: 'center' });
    next.querySelector<HTMLElement>('[data-stop]')?.focus({ preventScroll: true });
  }

  /** From where one is, round the end to the beginning; a kept run counts as the place before the change behind it. */
  private nextIndex(changes: readonly HTMLElement[], by: number): number {
    const { current } = this;
    const { length } = changes;
    if (current === undefined || !this.list.contains(current)) return by > 0 ? 0 : length - 1;
    const index = changes.indexOf(current);
    if (index >= 0) return (index + by + length) % length;
    const isBehind = (change: HTMLElement) =>
      (current.compareDocumentPosition(change) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    const following = changes.findIndex(isBehind);
    if (by > 0) return following < 0 ? 0 : following;
    return following < 0 ? length - 1 : (following - 1 + length) % length;
  }

  private changes(): readonly HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>(':scope > .diff-row:not(.is-keep):not([hidden])')];
  }
}
