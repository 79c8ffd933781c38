import { inEditorLanguage } from '../language/in-editor-language.ts';
import type { ChatChange } from '../../protocol/chat.ts';
import type { ApprovalView, ChatRow, ToolRow } from '../../protocol/chat-rows.ts';
import { shownTitle } from '../sessions/session-notices.ts';

/** A row with what it says of itself in the language of the editor. What was said and done stays as it is. */
export function rowInEditorLanguage(row: ChatRow): ChatRow {
  switch (row.type) {
    case 'tool':
      return toolRow(row);
    case 'compaction':
      return row.reason === undefined ? row : { ...row, reason: inEditorLanguage(row.reason) };
    default:
      return row;
  }
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

function toolRow(row: ToolRow): ToolRow {
  const { summary, approval } = row;
  return {
    ...row,
    ...(summary === undefined ? {} : { summary: inEditorLanguage(summary) }),
    ...(approval === undefined ? {} : { approval: approvalView(approval) }),
  };
}

function approvalView(approval: ApprovalView): ApprovalView {
  const { title, warning, rule } = approval;
  return {
    ...approval,
    title: inEditorLanguage(title),
    ...(warning === undefined ? {} : { warning: inEditorLanguage(warning) }),
    ...(rule === undefined ? {} : { rule: inEditorLanguage(rule) }),
  };
}
