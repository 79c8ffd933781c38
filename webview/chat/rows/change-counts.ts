import { element, setText } from '../../dom.ts';
import { formatCount } from '../../numbers.ts';
import { strings } from '../strings.ts';

/** How many lines come and go. */
export interface ChangeCounts {
  readonly element: HTMLElement;
  show(counts: LineCounts): void;
}

export interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** `+3 −2` to look at; to listen to, words. */
export function changeCounts(counts: LineCounts): ChangeCounts {
  const added = element('span', { class: 'added' });
  const removed = element('span', { class: 'removed' });
  const spoken = element('span', { class: 'spoken' });
  const show = (next: LineCounts) => {
    const [plus, minus] = [formatCount(next.added), formatCount(next.removed)];
    setText(added, strings.added(plus));
    setText(removed, strings.removed(minus));
    added.hidden = next.added === 0 && next.removed > 0;
    removed.hidden = next.removed === 0;
    setText(spoken, strings.countsSpoken(plus, minus));
  };
  show(counts);
  return {
    element: element(
      'span',
      { class: 'counts' },
      element('span', { 'aria-hidden': 'true' }, added, ' ', removed),
      spoken,
    ),
    show,
  };
}

export function sumOf(files: readonly LineCounts[]): LineCounts {
  return {
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}
