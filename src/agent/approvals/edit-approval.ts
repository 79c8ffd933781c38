import { stat } from 'node:fs/promises';
import type { ApprovalRequest } from './approval-request.ts';
import { isInside } from '../files/workspace.ts';
import type { FileChange } from '../edits/file-editor.ts';
import { linesWithEnds } from '../edits/line-diff.ts';
import { sensitivityOf, type Sensitivity } from '../edits/sensitive-path.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { isRecord } from '../../language/is-record.ts';

/** The pattern of the only rule for edits. */
export const ordinaryFiles = '**';

/** Builds the request shown before files are changed. @param guarded absolute paths of code the extension loads */
export async function editApproval(
  changes: readonly FileChange[],
  guarded: readonly string[] = [],
): Promise<ApprovalRequest> {
  const reasons = await Promise.all(changes.map((change) => sensitivity(change, guarded)));
  const warnings = changes.flatMap((change, index) => warningsOf(change, reasons[index]));
  return {
    kind: 'edit',
    title: titleOf(changes),
    details: '',
    ...(warnings.length === 0 ? {} : { warnings }),
    changes,
    patterns: changes.map(({ shown }) => shown),
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

function titleOf(changes: readonly FileChange[]): Sentence {
  const [only] = changes;
  if (only === undefined || changes.length > 1) {
    return agentSentences.say('approvalChangeFiles', { count: changes.length });
  }
  const { shown: file, before, after } = only;
  if (before === undefined) return agentSentences.say('approvalCreate', { file });
  return agentSentences.say(after === undefined ? 'approvalDelete' : 'approvalEdit', { file });
}

function warningsOf(change: FileChange, sensitivity: Sensitivity | undefined): readonly Sentence[] {
  const { shown: file } = change;
  const scripts = changesScripts(change) ? [agentSentences.say('changesScripts', { file })] : [];
  return [
    ...(sensitivity === 'secret' ? [agentSentences.say('mayHoldSecrets', { file })] : []),
    ...(sensitivity === 'powerful' && scripts.length === 0
      ? [agentSentences.say('notOrdinaryFile', { file })]
      : []),
    ...scripts,
    ...dropWarning(change),
  ];
}

/** Warns if a file loses most of its lines, perhaps by mistake. A deletion is stated in the title instead. */
function dropWarning({ shown: file, before, after }: FileChange): readonly Sentence[] {
  if (before === undefined || after === undefined) return [];
  const total = linesWithEnds(before).length;
  const dropped = total - linesWithEnds(after).length;
  return dropped * 2 > total ? [agentSentences.say('losesLines', { file, dropped, total })] : [];
}

function changesScripts({ path, before, after }: FileChange): boolean {
  if (!/(?:^|[/\\])package\.json$/.test(path) || after === undefined) return false;
  return scriptsOf(after) !== scriptsOf(before ?? '{}');
}

/** Returns the scripts of a `package.json` as JSON, or an empty string. Invalid JSON is returned unchanged. */
function scriptsOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) && value['scripts'] !== undefined ? JSON.stringify(value['scripts']) : '';
  } catch {
    return text;
  }
}
