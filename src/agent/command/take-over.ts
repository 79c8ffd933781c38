import path from 'node:path';
import { phraseOf } from '../../compaction/records/reason.ts';
import { agentSentences } from '../../language/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import type { ApprovalDecision, ApprovalRequest } from '../approvals/approval-request.ts';
import { shownPath, type Workspace } from '../files/workspace.ts';
import { applyChanges } from './apply-changes.ts';
import { inFolders, questionAbout, type ShownChange } from './change-question.ts';
import { type Disposition, OrdinaryChanges } from './ordinary-change.ts';
import type { WorkspaceChange } from './workspace-changes.ts';

export interface TakeOverPorts {
  /** Aborted once nobody waits for the command any more. */
  readonly signal: AbortSignal;
  /** @throws {CancelledError} if the signal is aborted before there is an answer */
  readonly ask: (request: ApprovalRequest) => Promise<ApprovalDecision>;
}

/** The outcome of the changes of a command. */
export interface TakenOver {
  /** Paths of changes that were not made in the workspace, as people read them. */
  readonly notKept: readonly string[];
  /** The user's wish instead; empty if the user was not asked or did not say. */
  readonly feedback: string;
  /** The reason why changes may be missing in the workspace. */
  readonly problem?: Sentence;
}

/**
 * Makes the changes of a sandboxed command in the workspace. Those that can make programs run outside of the sandbox
 * are shown to the user first.
 */
export async function takeOver(
  changes: readonly WorkspaceChange[],
  workspace: Workspace,
  ports: TakeOverPorts,
): Promise<TakenOver> {
  const roots = await workspace.roots();
  const shown = changes.map((change): ShownChange => {
    const root = roots.find((each) => each.path === change.root);
    const place = path.join(change.root, change.path);
    return { ...change, shown: root === undefined ? change.path : shownPath(root, place, roots) };
  });
  const ordinary = new OrdinaryChanges(changes, await workspace.guarded());
  const inCase = (disposition: Disposition) =>
    shown.filter((change) => ordinary.dispositionOf(change) === disposition);
  try {
    const late = await applyChanges(inCase('keep'));
    const { notKept, feedback } = await keepIfAllowed(inCase('ask'), ports);
    return { notKept: inFolders([...late, ...notKept]).map((each) => each.shown), feedback };
  } catch (error) {
    const problem = agentSentences.say('commandChangesLost', { reason: phraseOf(error) });
    return { notKept: [], feedback: '', problem };
  }
}

async function keepIfAllowed(
  changes: readonly ShownChange[],
  { ask, signal }: TakeOverPorts,
): Promise<{ readonly notKept: readonly ShownChange[]; readonly feedback: string }> {
  const [usable, unusable] = [
    changes.filter(({ kind }) => kind !== 'unusable'),
    changes.filter(({ kind }) => kind === 'unusable'),
  ];
  if (usable.length === 0 || signal.aborted) return { notKept: changes, feedback: '' };
  const decision = await ask(await questionAbout(usable)).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
  if (decision?.isAllowed) {
    return { notKept: [...(await applyChanges(usable)), ...unusable], feedback: '' };
  }
  return { notKept: changes, feedback: decision === undefined ? '' : decision.feedback };
}
