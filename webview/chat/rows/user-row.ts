import type { ChatRow } from '../../../src/extension/protocol/chat.ts';
import { element, type ItemView, setText } from '../../dom.ts';
import { strings } from '../strings.ts';

type UserRow = Extract<ChatRow, { type: 'user' }>;

export function userRow(row: UserRow): ItemView<UserRow> {
  const text = element('div', { class: 'user-text' }, row.text);
  return {
    element: element(
      'div',
      { class: 'row user' },
      element('span', { class: 'spoken' }, `${strings.you}: `),
      text,
    ),
    update: ({ text: changed }) => setText(text, changed),
  };
}
