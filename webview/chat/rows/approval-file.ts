import type { FileChangeView } from '../../../src/protocol/chat-rows.ts';
import { element, type ItemView, plainButton, setText } from '../../dom.ts';
import { strings } from '../strings.ts';
import { visibleText } from '../visible-text.ts';
import { changeCounts } from './change-counts.ts';
import { fileDiff, shownChanges } from './file-diff.ts';

/** What would be done to a file, line by line, with the way to all of it. */
export function approvalFile(
  file: FileChangeView,
  onReview: (path: string) => void,
): ItemView<FileChangeView> {
  const path = visibleText(file.path);
  const word = element('span', { class: 'change-word' });
  const counts = changeCounts(file);
  const lines = element('div');
  const cutOff = element('p', { class: 'cut-off' }, strings.cutOff);
  const review = plainButton(
    { class: 'link', 'aria-label': strings.reviewLabel(path), title: strings.reviewLabel(path) },
    () => onReview(file.path),
    strings.review,
  );
  const update = (next: FileChangeView) => {
    setText(word, strings.changes[next.change]);
    counts.show(next);
    lines.replaceChildren(...(next.diff === '' ? [] : [fileDiff(next.diff)]));
    cutOff.hidden = shownChanges(next.diff) >= next.added + next.removed;
  };
  update(file);
  const head = element(
    'div',
    { class: 'approval-file-head' },
    element('span', { class: 'change-path code-line' }, path),
    word,
    counts.element,
    review,
  );
  return { element: element('li', { class: 'approval-file' }, head, lines, cutOff), update };
}

export function isSameFile(shown: FileChangeView, next: FileChangeView): boolean {
  return (
    shown.change === next.change &&
    shown.added === next.added &&
    shown.removed === next.removed &&
    shown.diff === next.diff
  );
}
