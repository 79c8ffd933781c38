import type { ErrorRow } from '../../../src/protocol/chat-rows.ts';
import { element, type ItemView, plainButton, setText } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { strings } from '../strings.ts';
import type { RowContext } from './row-context.ts';

export function errorRow(row: ErrorRow, { post }: RowContext): ItemView<ErrorRow> {
  const message = element('span', { class: 'error-message' });
  const retry = plainButton({ class: 'link changes-chat' }, () => post({ type: 'retry' }), strings.retry);
  const root = element('div', { class: 'row error' }, icon('error'), message, retry);
  const update = (next: ErrorRow) => {
    setText(message, next.message);
    retry.hidden = !next.canRetry;
  };
  update(row);
  return { element: root, update };
}
