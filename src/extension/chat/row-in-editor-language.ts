import { inEditorLanguage } from '../language/in-editor-language.ts';
import type { ChatChange } from '../../protocol/chat.ts';
import type { ChatRow } from '../../protocol/chat-rows.ts';
import { shownTitle } from '../sessions/session-notices.ts';

/** A row with what it says of itself in the language of the editor. What was said and done stays as it is. */
export function rowInEditorLanguage(row: ChatRow): ChatRow {
  if (row.type !== 'compaction' || row.reason === undefined) return row;
  return { ...row, reason: inEditorLanguage(row.reason) };
}

export function changeInEditorLanguage(change: ChatChange): ChatChange {
  switch (change.type) {
    case 'row':
      return { ...change, row: rowInEditorLanguage(change.row) };
    case 'state': {
      const { title } = change.state;
      return title === undefined
        ? change
        : { ...change, state: { ...change.state, title: shownTitle(title) } };
    }
    default:
      return change;
  }
}
