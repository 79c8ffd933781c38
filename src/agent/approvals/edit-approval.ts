import { stat } from 'node:fs/promises';
import type { ApprovalRequest } from './approval-request.ts';
import { isInside } from '../files/inside-folder.ts';
import { isRecord } from '../model/provider-error.ts';
import type { FileChange } from '../edits/file-editor.ts';
import { linesOf } from '../edits/line-diff.ts';
import { sensitivityOf, type Sensitivity } from '../edits/sensitive-path.ts';

/** The pattern of the one rule there is for edits. */
export const ordinaryFiles = '**';

/**
 * Finds out what a person has to be asked before files are changed.
 *
 * @param guarded absolute paths of what the extension itself would load, and of all that is below
 */
export async function editApproval(
  changes: readonly FileChange[],
  guarded: readonly string[] = [],
): Promise<ApprovalRequest> {
  const reasons = await Promise.all(changes.map((change) => sensitivity(change, guarded)));
  const warning = changes.flatMap((change, index) => warningsOf(change, reasons[index])).join(' ');
  return {
    kind: 'edit',
    title: titleOf(changes),
    details: '',
    ...(warning === '' ? {} : { warning }),
    changes,
    subjects: changes.map(({ shown }) => shown),
    ...(reasons.some((reason) => reason !== undefined)
      ? {}
      : { rule: { kind: 'edit', pattern: ordinaryFiles } }),
  };
}

async function sensitivity(
  { path, shown, before, after }: FileChange,
  guarded: readonly string[],
): Promise<Sensitivity | undefined> {
  const byName = sensitivityOf(shown);
  if (byName !== undefined) return byName;
  if (guarded.some((place) => isInside(path, place))) return 'powerful';
  const isScript = [before, after].some((text) => text?.startsWith('#!') === true);
  return isScript || (await isExecutable(path)) ? 'powerful' : undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  if (process.platform === 'win32') return false;
  return stat(path).then(
    ({ mode }) => (mode & 0o111) !== 0,
    () => false,
  );
}

function titleOf(changes: readonly FileChange[]): string {
  const [only] = changes;
  if (only === undefined || changes.length > 1) return `Change ${changes.length} files`;
  if (only.before === undefined) return `Create ${only.shown}`;
  return `${only.after === undefined ? 'Delete' : 'Edit'} ${only.shown}`;
}

function warningsOf(change: FileChange, sensitivity: Sensitivity | undefined): readonly string[] {
  const { shown } = change;
  const scripts = changesScripts(change) ? [`${shown} changes scripts, which run code.`] : [];
  return [
    ...(sensitivity === 'secret' ? [`${shown} may hold secrets.`] : []),
    ...(sensitivity === 'powerful' && scripts.length === 0
      ? [`${shown} is no plain source text or document: it may set up tools, run code or instruct agents.`]
      : []),
    ...scripts,
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
