import { lstat } from 'node:fs/promises';
import path from 'node:path';
import { editApproval } from '../../approvals/edit-approval.ts';
import {
  EditMismatchError,
  type FileChange,
  FileEditError,
  type FileEditor,
} from '../../edits/file-editor.ts';
import { lineChanges, lineCounts, linesWithEnds, numberedLines } from '../../edits/line-diff.ts';
import { isInsideGit, isSecretPath } from '../../edits/sensitive-path.ts';
import type { Place, Workspace } from '../../files/workspace.ts';
import { failed, type ProposedAction, type ToolResult } from './tool.ts';
import { agentSentences } from '../../../language/english/agent-english.ts';
import { toModel, type Sentence } from '../../../language/sentence.ts';
import { throwIfCancelled } from '../../../compaction/signals/cancellation.ts';

/** Maximum number of lines of changed files in a result, so that the model need not read the files again. */
const mostShown = 60;
const context = 3;

/** Proposes changes of files. @param findChanges throws a `FileEditError` or an `EditMismatchError` */
export async function proposeEdit(
  workspace: Workspace,
  editor: FileEditor,
  findChanges: () => Promise<readonly FileChange[]>,
): Promise<ToolResult | ProposedAction> {
  return plainly(async () => {
    const changes = (await findChanges()).filter(({ before, after }) => before !== after);
    if (changes.length === 0) return failed(toModel`Nothing would change: the files are like that already.`);
    return {
      approval: await editApproval(changes, await workspace.guarded()),
      perform: ({ signal }) => plainly(() => performEdit(editor, changes, signal)),
    };
  });
}

async function performEdit(
  editor: FileEditor,
  changes: readonly FileChange[],
  signal: AbortSignal,
): Promise<ToolResult> {
  for (const { path, shown, before } of changes) {
    if ((await editor.read(path)) !== before) {
      return failed(agentSentences.say('fileChangedNothingDone', { file: shown }));
    }
  }
  throwIfCancelled(signal);
  await editor.apply(changes);
  // An editor may format files when it saves them.
  const done = await Promise.all(
    changes.map(async (change) => ({
      ...change,
      after: await editor.read(change.path).catch(() => change.after),
    })),
  );
  return {
    content: [done.map(inWords).join('\n'), ...excerpts(done)].join('\n\n'),
    isError: false,
    summary: summaryOf(done),
    changes: done,
  };
}

/** Runs work on files. A problem with a file becomes a result for the model. */
async function plainly<R>(work: () => Promise<R>): Promise<R | ToolResult> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileEditError) return failed(error.sentence, error.advice);
    if (error instanceof EditMismatchError) return failed(error.problem);
    throw error;
  }
}

function inWords({ shown, before, after }: FileChange): string {
  if (after === undefined) return toModel`Deleted ${shown}.`;
  if (before === undefined) return toModel`Created ${shown} (${counted(linesWithEnds(after).length)}).`;
  const { added, removed } = lineCounts(before, after);
  return toModel`Changed ${shown} (+${added} −${removed} lines).`;
}

function summaryOf(changes: readonly FileChange[]): Sentence {
  const counts = changes.map(({ before, after }) => lineCounts(before ?? '', after ?? ''));
  const added = counts.reduce((sum, count) => sum + count.added, 0);
  const removed = counts.reduce((sum, count) => sum + count.removed, 0);
  const [only] = changes;
  return only !== undefined && changes.length === 1
    ? agentSentences.say('editedFile', { file: only.shown, added, removed })
    : agentSentences.say('editedFiles', { count: changes.length, added, removed });
}

/** Returns the lines around each change, as they are now, in files that existed before. */
function excerpts(changes: readonly FileChange[]): readonly string[] {
  let room = mostShown;
  const parts: string[] = [];
  for (const { shown, before, after } of changes) {
    if (before === undefined || after === undefined) continue;
    const lines = linesWithEnds(after);
    const numbered: string[] = [];
    let position = 0;
    for (const { afterStart, afterEnd } of lineChanges(linesWithEnds(before), lines)) {
      const start = Math.max(position, afterStart - context);
      const end = Math.min(lines.length, afterEnd + context);
      if (start > position && position > 0) numbered.push('…');
      numbered.push(...numberedLines(lines, start, end));
      position = Math.max(position, end);
      if (numbered.length > room) break;
    }
    if (numbered.length === 0) continue;
    const isCut = numbered.length > room;
    const kept = numbered.slice(0, room);
    if (isCut) kept.push('… read_file shows the rest.');
    parts.push([`${shown}:`, ...kept].join('\n'));
    room -= numbered.length;
    if (room <= 0) break;
  }
  return parts;
}

function counted(lines: number): string {
  return `${lines} ${lines === 1 ? 'line' : 'lines'}`;
}

/** Finds the real place of a path to change. @throws {FileEditError} outside the workspace, in `.git`, or for a root */
export async function placeToEdit(workspace: Workspace, given: string): Promise<Place> {
  if (given.trim() === '') throw new FileEditError(agentSentences.say('pathIsEmpty'));
  const resolution = await workspace.resolve(given);
  if ('refusal' in resolution) {
    const { reason, refusal } = resolution;
    throw new FileEditError(
      reason === 'outside' ? agentSentences.say('pathIsOutsideForEdits', { path: given }) : refusal,
    );
  }
  const { place } = resolution;
  if (isInsideGit(place.path)) {
    throw new FileEditError(agentSentences.say('fileIsGit', { file: place.shown }), {
      advice: toModel` Use git's own commands.`,
    });
  }
  if (place.path === place.root.path)
    throw new FileEditError(agentSentences.say('fileIsDirectory', { file: place.shown }));
  await refuseDanglingLinks(place);
  return place;
}

/** Refuses a broken link, because writing through it would create a file elsewhere. */
async function refuseDanglingLinks({ root, path: real, shown }: Place): Promise<void> {
  for (let part = real; part !== root.path; part = path.dirname(part)) {
    const status = await lstat(part).catch(() => undefined);
    if (status?.isSymbolicLink() === true) {
      throw new FileEditError(agentSentences.say('fileLinkNowhere', { file: shown }));
    }
  }
}

/** Runs work on a file. If the file may contain secrets, an {EditMismatchError} does not quote its text. */
export function keepingSecrets<R>(shown: string, work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof EditMismatchError) || !isSecretPath(shown)) throw error;
    throw new EditMismatchError(
      toModel`The edit does not fit ${shown}, which may hold secrets, so none of it is shown. read_file asks for it.`,
    );
  }
}
