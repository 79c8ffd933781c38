import type { FileChangeView } from '../../../src/protocol/chat-rows.ts';
import { element, type ItemView, KeyedList, plainButton, setText } from '../../dom.ts';
import { strings } from '../strings.ts';
import { visibleText } from '../visible-text.ts';
import { changeCounts } from './change-counts.ts';

type ChangedFile = Omit<FileChangeView, 'diff'>;

/** Files with what was changed in them, each a way to the diff editor. */
export interface ChangeList {
  readonly element: HTMLElement;
  show(files: readonly ChangedFile[]): void;
}

export function changeList(onReview: (path: string) => void): ChangeList {
  const root = element('ul', { class: 'changes', 'aria-label': strings.changedFiles });
  const files = new KeyedList<ChangedFile>(root, {
    keyOf: ({ path }) => path,
    create: (file) => changedFile(file, onReview),
  });
  return { element: root, show: (next) => files.render(next) };
}

function changedFile(file: ChangedFile, onReview: (path: string) => void): ItemView<ChangedFile> {
  const path = visibleText(file.path);
  const word = element('span', { class: 'change-word' });
  const counts = changeCounts(file);
  const update = (next: ChangedFile) => {
    setText(word, strings.changes[next.change]);
    counts.show(next);
  };
  update(file);
  const button = plainButton(
    { class: 'change', title: strings.reviewLabel(path) },
    () => onReview(file.path),
    element('span', { class: 'change-path code-line' }, path),
    word,
    counts.element,
  );
  return { element: element('li', {}, button), update };
}
