import { costOf } from '../../compaction/budget/budget.ts';
import { coverageOf } from '../../compaction/ledger/coverage.ts';
import { repairPairs } from '../../compaction/messages/exchange.ts';
import type { Message, ToolSchema } from '../../compaction/messages/message.ts';
import { indexById } from '../../compaction/messages/message-index.ts';
import { applyActions, draftPlan, outputId, type PlannedAction } from '../../compaction/records/plan.ts';
import { type CompactionRecord, type RecordedAction, rewrittenId } from '../../compaction/records/record.ts';
import { sizeOf } from '../../compaction/service/outcome.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { engineSentences } from '../../language/english/engine-english.ts';
import type { SentMessage } from './history-change.ts';

/** Changes that a client made in messages that it had sent before, by the ids of the transcript. */
export interface Rewriting {
  /** Messages that the client rewrote in their places, by id. */
  readonly rewritten: ReadonlyMap<string, SentMessage>;
  /** Ids of messages that left the history. */
  readonly gone: ReadonlySet<string>;
  readonly insertions: readonly {
    readonly messages: readonly SentMessage[];
    /** Id of the message before them; `null` for the start of the history. */
    readonly after: string | null;
    /** Ids of messages that left from their place. */
    readonly gone: readonly string[];
  }[];
}

interface RewritingTask {
  readonly recordId: string;
  readonly createdAt: string;
  readonly view: readonly Message[];
  readonly tools: readonly ToolSchema[];
  readonly folder: string | undefined;
  readonly meter: UsageMeter;
  /** Strategy id of the client's own compactions; undefined for an unknown client. */
  readonly client: string | undefined;
}

/** Share of the tokens that a client saves, from which its change is a compaction. */
const compactionShare = 0.2;

/**
 * Makes the record of a client's changes. It is not checked for acceptance, because the client has made the changes.
 * The ids of inserted messages are `outputId` of the record, in the order of the insertions.
 *
 * @returns undefined if the changes do not affect the view
 */
export async function rewritingRecord(
  rewriting: Rewriting,
  { recordId, createdAt, view, tools, folder, meter, client }: RewritingTask,
): Promise<CompactionRecord | undefined> {
  const stamp = { recordId, createdAt };
  const places = indexById(view);
  const isShown = (id: string) => places.has(id);
  const planned = plannedActions(rewriting, isShown);
  if (planned.length === 0) return undefined;
  const draft = draftPlan(view, { actions: planned }, stamp);
  const inserted = rewriting.insertions.flatMap(({ messages }) => messages);
  const ownOf = new Map([
    ...inserted.map((message, index) => [outputId(stamp, index + 1), message] as const),
    ...rewriting.rewritten,
  ]);
  const outputs = draft.outputs.map((output): Message => ({
    ...(ownOf.get(output.id) ?? output),
    id: output.id,
    createdAt,
  }));
  const after = repairPairs(applyActions(view, draft.actions, outputs));
  const toolUsage = await meter.measureTools(tools);
  const usagesBefore = await meter.measureEach(view);
  const usagesAfter = await meter.measureEach(after);
  const before = sizeOf(view, [toolUsage, ...usagesBefore]);
  const size = sizeOf(after, [toolUsage, ...usagesAfter]);
  const placesAfter = indexById(after);
  const saved = before.tokens - size.tokens;
  // A change that saves many tokens is a compaction.
  const strategy = saved > compactionShare * before.tokens ? (client ?? rewrittenId) : rewrittenId;
  const actions = draft.actions.map((action): RecordedAction => {
    const tokensBefore = action.sourceIds.reduce(
      (total, id) => total + (usagesBefore[places.get(id) ?? -1]?.total ?? 0),
      0,
    );
    const output = usagesAfter[placesAfter.get(action.outputId ?? '') ?? -1];
    return {
      ...action,
      tokensBefore,
      tokensAfter: action.kind === 'keep' ? tokensBefore : (output?.total ?? 0),
    };
  });
  return {
    ...{ id: recordId, createdAt, options: {}, status: 'applied', durationMs: 0, warnings: [] },
    trigger: { source: 'manual', requirement: 'soft', tokens: before.tokens },
    requestedStrategy: rewrittenId,
    actualStrategy: strategy,
    ...(folder === undefined ? {} : { folder }),
    tiers: [{ strategy, status: 'applied' }],
    before,
    after: size,
    actions,
    outputs,
    coverage: coverageOf(view, after, folder),
    cost: costOf(view, after, usagesAfter, saved),
  };
}

/** @param isShown true for ids of messages in the view */
function plannedActions(
  { rewritten, gone, insertions }: Rewriting,
  isShown: (id: string) => boolean,
): readonly PlannedAction[] {
  const reason = engineSentences.say('rewrittenByClient');
  const summarised = new Set<string>();
  const inserted = insertions.flatMap(({ messages, after, gone: replaced }): readonly PlannedAction[] => {
    const ids = replaced.filter(isShown);
    const [only, ...others] = messages;
    const isText = only?.role !== 'tool' && only?.tool_calls === undefined && others.length === 0;
    // One text in place of several messages is a summary, and stands where they stood.
    if (isText && ids.length > 0) {
      for (const id of ids) summarised.add(id);
      return [{ kind: 'summarise', ids, text: '', reason }];
    }
    return messages.map(() => ({ kind: 'insert', after, text: '', reason }));
  });
  const clips = [...rewritten.keys()]
    .filter(isShown)
    .map((id): PlannedAction => ({ kind: 'clip', id, originalTokens: 0, reason }));
  const ids = [...gone].filter((id) => isShown(id) && !summarised.has(id));
  return [...inserted, ...clips, ...(ids.length === 0 ? [] : [{ kind: 'drop', ids, reason } as const])];
}
