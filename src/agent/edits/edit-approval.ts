import type { ApprovalRequest } from '../approvals/approval-request.ts';
import { isRecord } from '../provider-error.ts';
import type { FileChange } from './file-editor.ts';
import { linesOf } from './lines.ts';
import { isSensitivePath } from './sensitive-path.ts';

/** What a person is asked before files are changed. */
export function editApproval(changes: readonly FileChange[]): ApprovalRequest {
  const warning = changes.flatMap(warningsOf).join(' ');
  const isSensitive = changes.some(({ shown }) => isSensitivePath(shown));
  return {
    kind: 'edit',
    title: titleOf(changes),
    details: '',
    ...(warning === '' ? {} : { warning }),
    changes,
    subjects: changes.map(({ shown }) => shown),
    ...(isSensitive ? {} : { rule: { kind: 'edit', pattern: '**' } }),
  };
}

function titleOf(changes: readonly FileChange[]): string {
  const [only] = changes;
  if (only === undefined || changes.length > 1) return `Change ${changes.length} files`;
  if (only.before === undefined) return `Create ${only.shown}`;
  return `${only.after === undefined ? 'Delete' : 'Edit'} ${only.shown}`;
}

function warningsOf(change: FileChange): readonly string[] {
  const { shown } = change;
  return [
    ...(isSensitivePath(shown)
      ? [`${shown} is or belongs to something hidden, which can run code or hold secrets.`]
      : []),
    ...(changesScripts(change) ? [`${shown} changes scripts, which run code.`] : []),
    ...dropWarning(change),
  ];
}

/** A file that is deleted says so in the title; one that loses most of its text might do so by mistake. */
function dropWarning({ shown, before, after }: FileChange): readonly string[] {
  if (before === undefined || after === undefined) return [];
  const total = linesOf(before).length;
  const dropped = total - linesOf(after).length;
  return dropped * 2 > total ? [`${shown} loses ${dropped} of its ${total} lines.`] : [];
}

function changesScripts({ path, before, after }: FileChange): boolean {
  if (!/(?:^|[/\\])package\.json$/.test(path) || after === undefined) return false;
  return scriptsOf(after) !== scriptsOf(before ?? '{}');
}

/** The scripts as JSON, or nothing. A text that is no JSON counts as it stands. */
function scriptsOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && value['scripts'] !== undefined ? JSON.stringify(value['scripts']) : '';
  } catch {
    return text;
  }
}
