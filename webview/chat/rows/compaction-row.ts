import type { CompactionRow } from '../../../src/extension/protocol/chat.ts';
import { element, type ItemView, plainButton, setText } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { formatShort } from '../../numbers.ts';
import { strings } from '../strings.ts';
import type { RowContext } from './row-context.ts';

/** A compaction: one quiet line, with the way to its diff and the way back. */
export function compactionRow(row: CompactionRow, { post }: RowContext): ItemView<CompactionRow> {
  const words = element('span', { class: 'compaction-words' });
  const diff = plainButton({ class: 'link' }, () => post({ type: 'open-inspector', recordId: row.id }));
  const undo = plainButton({ class: 'link' }, () => post({ type: 'undo', recordId: row.id }), strings.undo);
  const root = element(
    'div',
    { class: 'row compaction' },
    icon('compaction'),
    words,
    element('span', { class: 'compaction-actions' }, diff, undo),
  );
  const update = (next: CompactionRow) => {
    setText(words, describe(next));
    root.classList.toggle('is-refused', next.status !== 'applied');
    setText(diff, next.status === 'applied' ? strings.diff : strings.details);
    undo.hidden = next.status !== 'applied' || next.isUndone;
  };
  update(row);
  return { element: root, update };
}

function describe(row: CompactionRow): string {
  const { strategy, requestedStrategy, status, reason } = row;
  if (status === 'applied') {
    if (row.isUndone) return strings.undone(strategy);
    const words = strings.applied(strategy, formatShort(row.tokensBefore), formatShort(row.tokensAfter));
    const standsIn = requestedStrategy !== undefined && requestedStrategy !== strategy;
    return standsIn ? `${words} · ${strings.inPlaceOf(requestedStrategy)}` : words;
  }
  const what = strings.notApplied[status](requestedStrategy ?? strategy);
  return reason === undefined || reason === '' ? strings.sentence(what) : strings.because(what, reason);
}
