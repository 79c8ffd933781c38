import type { Budget } from '../budget/budget.ts';
import { type FileAllowance, type ReadPresentFile, restoredFiles } from '../files/restored-files.ts';
import type { Message } from '../messages/message.ts';
import { type TagSuffix, noSession } from '../quoting/session-tags.ts';
import { applyActions, draftPlan, type Plan } from '../records/plan.ts';
import type { CancellationSignal } from '../signals/cancellation.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { type Outcome, outcomeOf, type Terms } from './outcome.ts';

interface JudgedPlan {
  readonly plan: Plan;
  readonly outcome: Outcome;
  readonly terms: Terms;
  readonly isProtected: ReadonlySet<string>;
}

interface FilesRequest {
  readonly view: readonly Message[];
  readonly history?: readonly Message[];
  readonly restoreFiles?: FileAllowance | undefined;
  readonly budget: Budget;
  readonly pins: ReadonlySet<string>;
  readonly tagSuffix?: TagSuffix | undefined;
}

const largestShareOfFreed = 1 / 2;
const largestShareOfWindow = 1 / 10;

/** Adds files that summarised messages worked on, if the plan still passes. @throws {CancelledError} once aborted */
export async function withFilesBack(
  { plan, outcome, terms, isProtected }: JudgedPlan,
  { view, history = view, restoreFiles, budget, pins, tagSuffix = noSession }: FilesRequest,
  { readFile, meter }: { readonly readFile?: ReadPresentFile | undefined; readonly meter: UsageMeter },
  signal: CancellationSignal,
): Promise<Outcome> {
  const files = restoreFiles?.files ?? 0;
  const hasSummary = plan.actions.some(({ kind }) => kind === 'summarise');
  // The last tier leaves no room for files.
  if (outcome.status !== 'applied' || readFile === undefined || files === 0 || !hasSummary) return outcome;
  if (plan.isLastTier === true) return outcome;
  const freed = terms.before.size.tokens - outcome.after.tokens;
  const room = Math.floor(
    Math.min(
      restoreFiles?.tokens ?? 0,
      freed * largestShareOfFreed,
      (budget.window ?? Number.POSITIVE_INFINITY) * largestShareOfWindow,
      (terms.target ?? Number.POSITIVE_INFINITY) - outcome.after.tokens,
    ),
  );
  if (room <= 0) return outcome;
  const { stamp } = terms;
  const { actions: drafts, outputs } = draftPlan(view, plan, stamp);
  const after = applyActions(view, drafts, outputs);
  const { actions } = plan;
  const sources = { history, after, actions, protectedIds: isProtected, pins, room, files, tagSuffix, stamp };
  const restored = await restoredFiles(sources, readFile, meter, signal);
  if (restored.length === 0) return outcome;
  const withFiles = await outcomeOf({ ...plan, actions: [...actions, ...restored] }, terms, meter);
  return withFiles.status === 'applied' ? withFiles : outcome;
}
