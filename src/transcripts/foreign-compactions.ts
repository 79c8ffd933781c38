import { costOf } from '../compaction/budget/budget.ts';
import { blocksOf, pairCalls } from '../compaction/messages/exchange.ts';
import { coverageOf } from '../compaction/ledger/coverage.ts';
import { isSystem, type Message } from '../compaction/messages/message.ts';
import type { PlannedAction } from '../compaction/records/plan.ts';
import type { CompactionRecord } from '../compaction/records/record.ts';
import { noSession, type TagSuffix } from '../compaction/quoting/session-tags.ts';
import { measurePlan, sizeOf } from '../compaction/service/outcome.ts';
import { cleanBody } from '../compaction/ledger/render.ts';
import { strategyTitle } from '../language/english/strategy-titles-english.ts';
import { summaryText, withoutSummaryTags } from '../compaction/summary/summary-form.ts';
import type { Usage, UsageMeter } from '../compaction/tokens/usage.ts';
import { messagesOf } from '../compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';
import { project } from '../compaction/transcript/view.ts';
import type { ForeignCompaction, Imported } from './reading/transcript-format.ts';

/** Strategy name of a compaction whose agent is not in the file. */
const unknownAgent = 'another-agent';

/** Data from which the record of another agent's compaction is made. */
interface RecordTask {
  readonly id: string;
  readonly compaction: ForeignCompaction;
  /** The view before the compaction. */
  readonly view: readonly Message[];
  /** Ids of the messages in the view that were kept. */
  readonly keptIds: ReadonlySet<string>;
  readonly tagSuffix: TagSuffix;
  /** Absolute working folder of the agent. */
  readonly folder: string | undefined;
  /** Tokens of the tool schemas in requests. */
  readonly tools: Usage;
  readonly meter: UsageMeter;
}

export type RecordMaker = (task: RecordTask) => Promise<CompactionRecord>;

/**
 * Makes records for a session that is read again as it grows. A compaction of the same messages gets the same record,
 * without another measurement.
 */
export function memoisedRecords(): RecordMaker {
  const known = new Map<string, { readonly task: RecordTask; readonly record: CompactionRecord }>();
  return async (task) => {
    const before = known.get(task.id);
    if (before !== undefined && isSameTask(before.task, task)) return before.record;
    const record = await recordOf(task);
    known.set(task.id, { task, record });
    return record;
  };
}

function isSameTask(one: RecordTask, other: RecordTask): boolean {
  return (
    one.meter === other.meter &&
    one.tagSuffix === other.tagSuffix &&
    one.folder === other.folder &&
    one.tools.total === other.tools.total &&
    one.keptIds.size === other.keptIds.size &&
    one.view.length === other.view.length &&
    one.view.every((message, index) => message === other.view[index]) &&
    JSON.stringify(one.compaction) === JSON.stringify(other.compaction)
  );
}

/**
 * Returns the entries of an import, with its compactions as applied records. The view is thus the other agent's
 * context, and an undo restores the replaced messages. Records are measured with our counter. They are not checked
 * for acceptance, because the compactions already happened. A compaction within an exchange is moved before the
 * exchange. A compaction without a summary is left out, unless it cut messages off.
 *
 * @param imported an import with only messages as entries. Without compactions, they are returned unchanged
 * @param makeRecord function that makes each record
 */
export async function addForeignCompactions(
  imported: Omit<Imported, 'others'>,
  meter: UsageMeter,
  tagSuffix: TagSuffix = noSession,
  makeRecord: RecordMaker = recordOf,
): Promise<readonly TranscriptEntry[]> {
  const { entries, compactions, tools, folder } = imported;
  const inOrder = compactions
    .filter(({ summary, isCut }) => summary.trim() !== '' || isCut === true)
    .sort((one, other) => one.beforeMessageIndex - other.beforeMessageIndex);
  if (inOrder.length === 0) return entries;
  const messages = messagesOf(imported);
  const toolUsage = await meter.measureTools(tools);
  const result: TranscriptEntry[] = [];
  let next = 0;
  for (const [index, compaction] of inOrder.entries()) {
    const position = Math.max(next, outsideExchange(messages, compaction.beforeMessageIndex));
    result.push(...entries.slice(next, position));
    next = position;
    const { keptFromIndex = position, alsoKept = [], instructionsLeft = [] } = compaction;
    const view = project(result);
    const left = new Set(instructionsLeft.map((one) => messages[one]?.id));
    const kept = [
      ...view.filter((message) => isSystem(message) && !left.has(message.id)),
      ...alsoKept.map((one) => messages[one]),
      ...messages.slice(keptFromIndex, position),
    ];
    const keptIds = new Set(kept.flatMap((message) => message?.id ?? []));
    if (compaction.isCut === true && leavingIds(view, keptIds).length === 0) continue;
    const task = { compaction, view, keptIds, tagSuffix, folder, tools: toolUsage, meter };
    const record = await makeRecord({ id: `c${index + 1}`, ...task });
    result.push({ type: 'compaction', record });
  }
  return [...result, ...entries.slice(next)];
}

/** Returns the index, or an earlier index if the index would separate a call from its results. */
function outsideExchange(messages: readonly Message[], index: number): number {
  let position = Math.min(Math.max(index, 0), messages.length);
  for (const [result, caller] of [...pairCalls(messages).callerOf].reverse()) {
    if (caller < position && result >= position) position = caller;
  }
  return position;
}

async function recordOf(task: RecordTask): Promise<CompactionRecord> {
  const { id, compaction, view, keptIds, tagSuffix, folder, tools, meter } = task;
  const { agent: strategy = unknownAgent } = compaction;
  const createdAt = compaction.createdAt ?? view.at(-1)?.createdAt ?? new Date(0).toISOString();
  const plan = { actions: [actionOf(compaction, view, keptIds, tagSuffix)] };
  const usages = await meter.measureEach(view);
  const before = { usages, tools, size: sizeOf(view, [tools, ...usages]) };
  const measured = await measurePlan(view, plan, before, meter, { recordId: id, createdAt });
  const { after, actions, outputs } = measured;
  return {
    id,
    createdAt,
    // Agents compact as their window fills, but few of their files contain the exact trigger.
    trigger: {
      source: compaction.trigger === 'manual' ? 'manual' : 'ratio',
      requirement: 'soft',
      tokens: compaction.tokensBefore ?? before.size.tokens,
    },
    requestedStrategy: strategy,
    actualStrategy: strategy,
    options: {},
    ...(folder !== undefined && { folder }),
    status: 'applied',
    tiers: [{ strategy, status: 'applied' }],
    before: before.size,
    after,
    actions,
    outputs,
    coverage: coverageOf(view, measured.view, folder),
    cost: costOf(view, measured.view, measured.usages, before.size.tokens - after.tokens),
    durationMs: 0,
    warnings: [],
  };
}

/** Returns the action. A session that continues another begins with a summary of messages it lacks. */
function actionOf(
  { agent = unknownAgent, summary, isCut }: ForeignCompaction,
  view: readonly Message[],
  keptIds: ReadonlySet<string>,
  tagSuffix: TagSuffix,
): PlannedAction {
  const { english: title } = strategyTitle(agent);
  const ids = leavingIds(view, keptIds);
  if (isCut === true) return { kind: 'drop', ids, reason: `cut off by ${title}` };
  const text = summaryText(cleanBody(withoutSummaryTags(summary), tagSuffix), tagSuffix);
  const reason = `summarised by ${title}`;
  if (ids.length > 0) return { kind: 'summarise', ids, text, reason };
  const firstSaid = view.findIndex((message) => !isSystem(message));
  const system = view.slice(0, firstSaid < 0 ? view.length : firstSaid);
  return { kind: 'insert', after: system.at(-1)?.id ?? null, text, reason };
}

/** Returns the ids of messages that left the agent's context. An exchange is kept if any of its messages was kept. */
function leavingIds(view: readonly Message[], keptIds: ReadonlySet<string>): readonly string[] {
  return blocksOf(view)
    .map(({ start, end }) => view.slice(start, end))
    .filter((block) => !block.some(({ id }) => keptIds.has(id)))
    .flatMap((block) => block.map((message) => message.id));
}
