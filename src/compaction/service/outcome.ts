import { engineSentences } from '../../language/english/engine-english.ts';
import { type CachePrice, costOf } from '../budget/budget.ts';
import { coverageOf } from '../ledger/coverage.ts';
import type { Message, ToolSchema } from '../messages/message.ts';
import { type ChangedMessage, changedIn, indexById } from '../messages/message-index.ts';
import { applyActions, draftPlan, InvalidPlanError, type Plan, type PlanStamp } from '../records/plan.ts';
import { CompactionFailure, phraseOf, reasonOf, recordedWarnings } from '../records/reason.ts';
import type {
  CompactionRecord,
  Reason,
  RecordedAction,
  RecordStatus,
  Requirement,
  SummaryReport,
  Tier,
  ViewSize,
} from '../records/record.ts';
import { CancelledError } from '../signals/cancellation.ts';
import { difference, emptyUsage, sum, type Usage, type UsageMeter } from '../tokens/usage.ts';

/** The effect of a compaction on the view, as its record states it. */
export type ViewChange = Pick<
  CompactionRecord,
  'after' | 'actions' | 'outputs' | 'coverage' | 'cost' | 'warnings' | 'warningSentences'
>;

interface Course {
  readonly summary?: SummaryReport;
  readonly steps?: readonly Tier[] | undefined;
  readonly madeBy?: string | undefined;
  readonly strategyTitle?: string;
}

export type Outcome =
  | ({ readonly status: 'applied' } & Course & ViewChange)
  | ({ readonly status: Exclude<RecordStatus, 'applied'>; readonly reason: Reason } & Course);

export interface Terms {
  readonly view: readonly Message[];
  readonly folder: string | undefined;
  readonly before: MeasuredView;
  readonly requirement: Requirement;
  readonly target: number | undefined;
  readonly cachePrice: CachePrice | undefined;
  /** Finds the messages that have to stay, given the actions of a plan. */
  readonly staying: (actions: readonly RecordedAction[]) => ReadonlySet<string>;
  readonly stamp: { readonly recordId: string; readonly createdAt: string };
}

/** Applies a plan to a copy of the view, and measures and checks the result. @throws {InvalidPlanError} */
export async function outcomeOf(plan: Plan, terms: Terms, meter: UsageMeter): Promise<Outcome> {
  const { before, requirement, stamp } = terms;
  const { view, usages, after, actions, outputs } = await measurePlan(terms.view, plan, before, meter, stamp);

  const { findObjection } = await import('../records/acceptance.ts');
  const objection = findObjection({
    before: terms.view,
    after: view,
    actions,
    tokensBefore: before.size.tokens,
    tokensAfter: after.tokens,
    requirement,
    target: terms.target,
    protectedIds: terms.staying(actions),
    mayClipProtected: plan.isLastTier === true && requirement === 'hard',
  });
  const course: Course = {
    ...(plan.summary === undefined ? {} : { summary: plan.summary }),
    steps: plan.tiers,
    madeBy: plan.madeBy,
    ...(plan.strategyTitle === undefined ? {} : { strategyTitle: plan.strategyTitle }),
  };
  if (objection !== undefined) return { status: 'refused', reason: objection, ...course };
  const saved = before.size.tokens - after.tokens;
  return {
    status: 'applied',
    after,
    actions,
    outputs,
    coverage: coverageOf(terms.view, view, terms.folder),
    cost: costOf(terms.view, view, usages, saved, terms.cachePrice),
    // Warnings describe effects of a plan, so a refused plan has none.
    ...recordedWarnings(plan.warnings ?? []),
    ...course,
  };
}

export async function measurePlan(
  viewBefore: readonly Message[],
  plan: Plan,
  before: MeasuredView,
  meter: UsageMeter,
  stamp: PlanStamp,
) {
  const { actions: drafts, outputs } = draftPlan(viewBefore, plan, stamp);
  const view = applyActions(viewBefore, drafts, outputs);
  const { usages, usageOf, change } = await usagesAfter(view, viewBefore, before.usages, meter);
  const tokensOfSources = tokensIn(viewBefore, before.usages);
  const actions = drafts.map((draft): RecordedAction => {
    const tokensBefore = tokensOfSources(draft.sourceIds);
    if (draft.kind === 'keep') return { ...draft, tokensBefore, tokensAfter: tokensBefore };
    const left = draft.outputId === undefined ? undefined : usageOf.get(draft.outputId);
    return { ...draft, tokensBefore, tokensAfter: left?.total ?? 0 };
  });
  const { tokens, byKind: kindsBefore } = before.size;
  const { total, byKind } = difference(
    sum([{ total: tokens, byKind: kindsBefore }, ...change.come]),
    change.gone,
  );
  return { view, usages, after: { messages: view.length, tokens: total, byKind }, actions, outputs };
}

/** Measures a view. Messages that are unchanged since the previous view keep their usages. */
async function usagesAfter(
  view: readonly Message[],
  viewBefore: readonly Message[],
  usagesBefore: readonly Usage[],
  meter: UsageMeter,
) {
  const changed = changedIn(viewBefore, view);
  const come = await usagesOf(changed, meter);
  const usageOf = new Map(changed.map(({ message: { id } }, index) => [id, come[index] ?? emptyUsage]));
  const usages: Usage[] = [];
  const gone: Usage[] = [];
  let next = 0;
  let position = 0;
  for (const message of view) {
    if (changed[next]?.message !== message) {
      usages.push(usagesBefore[position++] ?? emptyUsage);
      continue;
    }
    const end = (changed[next]?.position ?? position - 1) + 1;
    gone.push(...usagesBefore.slice(position, end));
    position = end;
    usages.push(come[next++] ?? emptyUsage);
  }
  gone.push(...usagesBefore.slice(position));
  return { usages, usageOf, change: { come, gone } };
}

async function usagesOf(changed: readonly ChangedMessage[], meter: UsageMeter): Promise<readonly Usage[]> {
  const open = changed.flatMap(({ message, original }) =>
    original === undefined || meter.knownUsage(message) !== undefined ? [] : [{ message, original }],
  );
  const usages = await meter.measureEach(open.map(({ original }) => original));
  const after = await meter.measureChanged(
    open.map(({ message: { content, tool_calls: toolCalls }, original }, index) => ({
      message: original,
      usage: usages[index]!,
      ...(content === original.content ? {} : { content }),
      ...(toolCalls === original.tool_calls ? {} : { toolCalls }),
    })),
  );
  for (const [index, { message }] of open.entries()) meter.learn(message, after[index]!);
  return meter.measureEach(changed.map(({ message }) => message));
}

function tokensIn(view: readonly Message[], usages: readonly Usage[]): (ids: readonly string[]) => number {
  const positions = indexById(view);
  return (ids) => ids.reduce((tokens, id) => tokens + (usages[positions.get(id) ?? -1]?.total ?? 0), 0);
}

export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof CancelledError) {
    return { status: 'cancelled', reason: reasonOf('cancelled', engineSentences.say('stopped')) };
  }
  if (error instanceof CompactionFailure) {
    const isRefusal = error.code.startsWith('summary-');
    return { status: isRefusal ? 'refused' : 'failed', reason: error.reason, steps: error.tiers };
  }
  if (error instanceof InvalidPlanError) {
    return { status: 'refused', reason: reasonOf('invalid-plan', phraseOf(error)) };
  }
  return { status: 'failed', reason: reasonOf('strategy-failed', phraseOf(error)) };
}

export interface MeasuredView {
  readonly usages: readonly Usage[];
  readonly tools: Usage;
  readonly size: ViewSize;
}

export async function measureView(
  { view, tools: schemas }: { readonly view: readonly Message[]; readonly tools: readonly ToolSchema[] },
  meter: UsageMeter,
): Promise<MeasuredView> {
  const usages = await meter.measureEach(view);
  const tools = await meter.measureTools(schemas);
  return { usages, tools, size: sizeOf(view, [tools, await meter.measure(view)]) };
}

export function sizeOf(messages: readonly Message[], usages: readonly Usage[]): ViewSize {
  const { total, byKind } = sum(usages);
  return { messages: messages.length, tokens: total, byKind };
}
