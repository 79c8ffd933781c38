import type { EditsRow } from '../../../src/protocol/chat-rows.ts';
import { element, type ItemView, plainButton, setText } from '../../dom.ts';
import { formatCount } from '../../numbers.ts';
import { strings } from '../strings.ts';
import { changeCounts, sumOf } from './change-counts.ts';
import { changeList } from './change-list.ts';
import type { RowContext } from './row-context.ts';

/** What a turn did to files, with the way to each and the way back. */
export function editsRow(row: EditsRow, { post }: RowContext): ItemView<EditsRow> {
  const title = element('span', { class: 'edits-title' });
  const counts = changeCounts(sumOf(row.files));
  const undone = element('span', { class: 'edits-undone' }, strings.editsUndone);
  const undo = plainButton(
    { class: 'link changes-chat' },
    () => post({ type: 'undo-edits', id: row.id }),
    strings.undoEdits,
  );
  const list = changeList((path) => post({ type: 'review', id: row.id, path }));
  const root = element(
    'div',
    { class: 'row edits' },
    element('div', { class: 'edits-head' }, title, counts.element, undone, undo),
    list.element,
  );
  const update = ({ files, isUndone }: EditsRow) => {
    setText(title, strings.filesChanged(formatCount(files.length), files.length === 1));
    counts.show(sumOf(files));
    undone.hidden = !isUndone;
    undo.hidden = isUndone;
    root.classList.toggle('is-undone', isUndone);
    list.show(files);
  };
  update(row);
  return { element: root, update };
}
