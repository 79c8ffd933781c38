import type { ApprovalRequest } from '../../agent/approvals/approval-request.ts';
import { ruleInWords } from '../../agent/approvals/approval-rules.ts';
import { editedFile, unifiedDiff } from '../../agent/edits/line-diff.ts';
import type { FileChange } from '../../agent/edits/file-editor.ts';
import type { ApprovalView } from '../../protocol/chat-rows.ts';

/** Characters of a diff that a chat shows; the diff editor shows all of it. */
const longestDiff = 20_000;

/** What a person is asked, without the texts of the files. */
export function approvalView(request: ApprovalRequest): ApprovalView {
  const { kind, title, details, warning, changes = [], rule, terms } = request;
  return {
    kind,
    title,
    details,
    changes: changes.map((change) => ({ ...editedFile(change), diff: diffOf(change) })),
    ...(warning === undefined ? {} : { warning }),
    ...(rule === undefined ? {} : { rule: ruleInWords(rule) }),
    ...(terms === undefined ? {} : { terms }),
  };
}

function diffOf({ before, after }: FileChange): string {
  const diff = unifiedDiff(before ?? '', after ?? '');
  if (diff.length <= longestDiff) return diff;
  return diff.slice(0, diff.lastIndexOf('\n', longestDiff) + 1);
}
