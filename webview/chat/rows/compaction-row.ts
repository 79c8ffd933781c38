import type { CompactionRow, RecordDetails } from '../../../src/protocol/chat-rows.ts';
import { createDisclosure } from '../../disclosure.ts';
import { element, type ItemView, plainButton, setAttribute, setText } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { formatShort } from '../../numbers.ts';
import { startName, startSentence } from '../../trigger-words.ts';
import { strings } from '../strings.ts';
import { recordDetails } from './record-details.ts';
import type { RowContext } from './row-context.ts';

export interface CompactionRowView extends ItemView<CompactionRow> {
  /** Shows what was asked for when the row was opened. */
  showDetails(details: RecordDetails): void;
}

/** A compaction: one quiet line, with the way to its diff and the way back; what it did unfolds under it. */
export function compactionRow(row: CompactionRow, { post, open }: RowContext): CompactionRowView {
  let current = row;
  let details: RecordDetails | undefined;
  const openKey = `compaction:${row.id}`;
  const words = element('span', { class: 'compaction-words' });
  const diff = plainButton({ class: 'link' }, () => post({ type: 'open-inspector', recordId: row.id }));
  const undo = plainButton(
    { class: 'link changes-chat' },
    () => post({ type: 'undo', recordId: row.id }),
    strings.undo,
  );
  const disclosure = createDisclosure({
    isOpen: open.has(openKey),
    class: 'compaction-line',
    onToggle: (isOpen) => {
      open.set(openKey, isOpen);
      if (!isOpen || details !== undefined) return;
      setText(disclosure.panel, strings.record.loading);
      post({ type: 'record-summary', recordId: row.id });
    },
  });
  disclosure.button.append(icon('chevron'), icon('compaction'), words);
  disclosure.panel.classList.add('record');
  const root = element(
    'div',
    { class: 'row compaction' },
    disclosure.button,
    element('span', { class: 'compaction-actions' }, diff, undo),
    disclosure.panel,
  );
  const update = (next: CompactionRow) => {
    current = next;
    setText(words, describe(next));
    setAttribute(words, 'title', next.trigger === undefined ? undefined : startSentence(next.trigger));
    root.classList.toggle('is-refused', next.status !== 'applied');
    setText(diff, next.status === 'applied' ? strings.diff : strings.details);
    undo.hidden = next.status !== 'applied' || next.isUndone;
  };
  update(row);
  return {
    element: root,
    update,
    showDetails(next) {
      details = next;
      disclosure.panel.replaceChildren(...recordDetails(current, next));
    },
  };
}

function describe(row: CompactionRow): string {
  const { strategy, requestedStrategy, status, reason } = row;
  if (status === 'applied') {
    if (row.isUndone) return strings.undone(strategy);
    const standsIn = requestedStrategy !== undefined && requestedStrategy !== strategy;
    const start = startName(row.trigger?.start);
    return [
      strings.applied(strategy, formatShort(row.tokensBefore), formatShort(row.tokensAfter)),
      ...(start === undefined ? [] : [start]),
      ...(standsIn ? [strings.inPlaceOf(requestedStrategy)] : []),
    ].join(' · ');
  }
  const what = strings.notApplied[status](requestedStrategy ?? strategy);
  return reason === undefined || reason === '' ? strings.sentence(what) : strings.because(what, reason);
}
