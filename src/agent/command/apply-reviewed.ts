import path from 'node:path';
import { visibleText } from '../../compaction/quoting/visible-text.ts';
import { phraseOf } from '../../compaction/records/reason.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import type { ApprovalDecision, ApprovalRequest } from '../approvals/approval-request.ts';
import { shownPath, type Workspace } from '../files/workspace.ts';
import { applyWorkspaceChanges } from './apply-changes.ts';
import { inFolders, questionAbout, type ShownChange } from './change-question.ts';
import { type Disposition, OrdinaryChanges } from './ordinary-change.ts';
import type { WorkspaceChange } from './workspace-changes.ts';

interface ReviewPorts {
  readonly signal: AbortSignal;
  /** @throws {CancelledError} if the signal is aborted before the answer */
  readonly ask: (request: ApprovalRequest) => Promise<ApprovalDecision>;
}

/** The outcome of applying a command's changes. */
export interface ReviewOutcome {
  /** Paths, as shown to the user, of changes that the user did not allow. */
  readonly declined: readonly string[];
  /** Paths that another program changed in the meantime, and paths that are no file, folder or link. */
  readonly impossible: readonly string[];
  /** Instruction of the user to the model; may be empty. */
  readonly feedback: string;
  /** The reason why changes may be missing in the workspace. */
  readonly problem?: Sentence;
}

/** Makes the changes of a sandboxed command. The user first reviews any that could run programs outside. */
export async function applyReviewed(
  changes: readonly WorkspaceChange[],
  workspace: Workspace,
  ports: ReviewPorts,
): Promise<ReviewOutcome> {
  const roots = await workspace.roots();
  const shown = changes.map((change): ShownChange => {
    const root = roots.find((each) => each.path === change.root);
    const place = path.join(change.root, change.path);
    return {
      ...change,
      shown: visibleText(root === undefined ? change.path : shownPath(root, place, roots)),
    };
  });
  const ordinary = new OrdinaryChanges(changes, await workspace.guarded());
  try {
    const cases = shown.map((change) => [ordinary.dispositionOf(change), change] as const);
    const inCase = (wanted: Disposition) =>
      cases.flatMap(([disposition, change]) => (disposition === wanted ? [change] : []));
    const late = await applyWorkspaceChanges(inCase('keep'));
    const asked = inCase('ask');
    const unusable = asked.filter(({ kind }) => kind === 'unusable');
    const usable = asked.filter(({ kind }) => kind !== 'unusable');
    const { decision, named } = await decide(usable, ports);
    const allowed = new Set(decision?.isAllowed === true ? named : []);
    const left = await applyWorkspaceChanges([...allowed]);
    const declined = usable.filter((change) => !allowed.has(change));
    return {
      declined: namesOf(declined),
      impossible: namesOf([...late, ...left, ...unusable]),
      feedback: decision === undefined || decision.isAllowed ? '' : decision.feedback,
    };
  } catch (error) {
    const problem = agentSentences.say('commandChangesLost', { reason: phraseOf(error) });
    return { declined: [], impossible: [], feedback: '', problem };
  }
}

/** @returns no decision if there is no question, or if the caller no longer waits for the command */
async function decide(
  changes: readonly ShownChange[],
  { ask, signal }: ReviewPorts,
): Promise<{ readonly decision?: ApprovalDecision | undefined; readonly named: readonly ShownChange[] }> {
  if (changes.length === 0 || signal.aborted) return { named: [] };
  const { request, named } = await questionAbout(changes);
  const decision = await ask(request).catch((error: unknown) => {
    if (signal.aborted) return undefined;
    throw error;
  });
  return { decision, named };
}

const namesOf = (changes: readonly ShownChange[]) => inFolders(changes).map(({ shown }) => shown);
