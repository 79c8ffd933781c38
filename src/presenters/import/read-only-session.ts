import { type Budget, type BudgetSettings, createBudget } from '../../compaction/budget/budget.ts';
import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import { orCancelled } from '../../compaction/signals/cancellation.ts';
import { memoised } from '../../compaction/messages/memoise.ts';
import { noSession } from '../../compaction/quoting/session-tags.ts';
import { undoneTogether } from '../../compaction/records/record.ts';
import { sum, type UsageMeter } from '../../compaction/tokens/usage.ts';
import { sameToolsThroughout } from '../../compaction/transcript/transcript-entry.ts';
import { messagesOf, transcriptOf } from '../../compaction/transcript/transcript.ts';
import { recordsInForce } from '../../compaction/transcript/view.ts';
import {
  type Fullness,
  fullnessEvidenceOf,
  type FullnessKnowledge,
  fullnessOf,
  limitEvidenceOf,
  missingParts,
  modelOf,
} from '../../insights/context-fullness.ts';
import { type ContextLimits, limitsOf, type SetLimits } from '../../insights/context-limits.ts';
import { reportedOf, moneyOf } from '../../insights/session-cost.ts';
import { createTimeline, type TimelineCall } from '../../insights/session-timeline.ts';
import type { ReportView } from '../../protocol/inspector.ts';
import { type RecordMaker, addForeignCompactions } from '../../transcripts/foreign-compactions.ts';
import {
  type Imported,
  ImportError,
  type OtherConversation,
} from '../../transcripts/reading/transcript-format.ts';
import { withResultsBehindCalls } from '../../transcripts/validate-import.ts';
import { knownAgent } from '../../transcripts/found-agents.ts';
import type { MarkFile } from '../storage/mark-file.ts';
import { agentTitles } from '../../language/agent-titles.ts';
import type { ForeignSession, InspectedSession } from '../inspector/inspector-model.ts';
import { importsSentences } from '../../language/english/imports-english.ts';
import { sessionName } from '../../transcripts/reading/typed-title.ts';

/** A session that can be read but not changed. */
export interface ReadOnlySession extends InspectedSession {
  readonly foreign: ForeignSession;
  /** A sentence for each unreadable part that was left out. */
  readonly problems: readonly string[];
  /** Conversations other than the active one, in the same file or in files of sub-agents. */
  readonly others: readonly ReadableConversation[];
}

/** A conversation that is read when it is first shown, possibly from its own file. */
export interface ReadableConversation extends Omit<OtherConversation, 'read'> {
  readonly read: () => Omit<Imported, 'others'> | Promise<Omit<Imported, 'others'>>;
}

/** Content of a session after reading. Its other conversations may be read later. */
export interface ReadSession extends Omit<Imported, 'others'> {
  readonly others?: readonly ReadableConversation[] | undefined;
  /** Id of the format of the session's file. */
  readonly format?: string;
}

export interface ReadOnlyPorts {
  /** Opens the marks of a session by the path of its file. If absent, sentences cannot be marked. */
  readonly marksOf?: (path: string) => MarkFile;
  /** Returns the current meter. Called for every count, because the encoding may have changed. */
  readonly meterOf: () => UsageMeter;
  /** Default shares of the window. The window itself and the model come from the session. */
  readonly budget: () => BudgetSettings;
  readonly factsOf: (model: string) => ModelFacts;
  /** Returns the limits of a session in its agent's settings; undefined if unknown. */
  readonly limitsOf?: (session: SetUpSession) => Promise<SetLimits | undefined>;
}

/** The facts about a session that decide which settings of its agent apply. */
export interface SetUpSession {
  readonly agent: string;
  readonly model: string | undefined;
  /** Absolute path of the session's working folder. */
  readonly folder: string | undefined;
}

/** Reads another conversation of a session's file. */
export async function readOtherConversation(
  other: ReadableConversation,
  name: string,
  ports: ReadOnlyPorts,
  signal: AbortSignal,
): Promise<ReadOnlySession> {
  return readOnlySessionOf(withResultsBehindCalls(await other.read()), name, ports, signal);
}

/**
 * A session of another agent, unchanged, with its compactions as records. The window is the session's or its model's.
 *
 * @param name title if no message was typed
 * @throws {ImportError} if the session has no messages
 * @throws {CancelledError} if the signal was aborted
 */
export async function readOnlySessionOf(
  imported: ReadSession,
  name: string,
  ports: ReadOnlyPorts,
  signal: AbortSignal,
  makeRecord?: RecordMaker,
  toTranscript = transcriptOf,
): Promise<ReadOnlySession> {
  const messages = messagesOf(imported);
  if (messages.length === 0) throw new ImportError(importsSentences.say('noMessages'));
  const { meterOf, budget } = ports;
  const { tools, servers, toolHistory = sameToolsThroughout(tools), problems, others = [] } = imported;
  const transcript = toTranscript(
    await orCancelled(addForeignCompactions(imported, meterOf(), noSession, makeRecord), signal),
  );
  const inForce = recordsInForce(transcript.entries);
  const filled = { ...imported, transcript };
  const { id: agent, ...ofAgent } = knownAgent(imported, (name) => ports.factsOf(name));
  const model = modelOf(messages);
  const knowledge: FullnessKnowledge = {
    ...ofAgent,
    set: await ports.limitsOf?.({ agent, model, folder: imported.folder }),
  };
  const measuredWith = memoised(async (meter: UsageMeter): Promise<Measured> => {
    const { calls } = await createTimeline(meter, toolHistory)(transcript.entries);
    const fullness = fullnessOf(await fullnessEvidenceOf(filled, knowledge, calls, meter));
    return { fullness, report: reportOf(calls, missingParts(filled), ports) };
  });
  return {
    transcript,
    title: sessionName(messages, name),
    activity: 'idle',
    tools,
    toolHistory: imported.toolHistory,
    exchanges: imported.exchanges,
    toolSet: servers && (() => Promise.resolve({ tools, servers })),
    problems,
    folder: imported.folder,
    others: others.map((other) => ({ ...other, read: () => other.read() })),
    foreign: {
      agent: Object.entries(agentTitles).find(([id]) => id === agent)?.[1],
      model,
      report: async () => (await measuredWith(meterOf())).report,
      fullness: async () => (await measuredWith(meterOf())).fullness,
    },
    compaction: Object.assign(new ForeignBudget(), {
      usage: async () => {
        const meter = meterOf();
        return sum([await meter.measureTools(tools), await meter.measure(transcript.view)]);
      },
      budgetNow: () => {
        const facts = model === undefined ? undefined : ports.factsOf(model);
        return budgetOf(limitsOf(limitEvidenceOf(filled, knowledge)), facts, budget());
      },
      undoneWith: (recordId: string) => undoneTogether(inForce, recordId),
    }),
  };
}

/** A class, because what a getter of an object literal refers to takes up memory until a full collection. */
class ForeignBudget {
  readonly budgetNow!: () => Budget;

  get budget(): Budget {
    return this.budgetNow();
  }
}

interface Measured {
  readonly fullness: Fullness;
  readonly report: ReportView | undefined;
}

/** Combines our shares with the limits of the agent and its model. The agent's reserve is unknown and not shown. */
function budgetOf(
  { window, compactsAt }: ContextLimits,
  facts: ModelFacts | undefined,
  { triggerRatio, targetRatio, backgroundRatio }: BudgetSettings,
): Budget {
  const theirs = {
    window,
    reservedOutput: 0,
    cachePrice: facts?.cache,
    isApproximate: facts?.isStandIn ?? true,
  };
  if (compactsAt === undefined)
    return createBudget({ triggerRatio, targetRatio, backgroundRatio, ...theirs });
  const ratio = window === undefined ? triggerRatio : Math.min(1, compactsAt / window);
  return createBudget({
    ...theirs,
    triggerRatio: ratio,
    targetRatio: Math.min(targetRatio, ratio),
    triggerTokens: compactsAt,
  });
}

function reportOf(
  calls: readonly TimelineCall[],
  missing: ReportView['missing'],
  { factsOf }: ReadOnlyPorts,
): ReportView | undefined {
  const reported = reportedOf(calls);
  if (reported === undefined) return undefined;
  const { known, unknown, cachedShare } = moneyOf(calls, [], undefined, factsOf);
  const { countedTokens, inputTokens } = reported.last;
  return {
    counted: countedTokens,
    reported: inputTokens,
    missing,
    cachedShare,
    dollars: unknown === calls.length ? undefined : known.total,
    isPartOfCost: unknown > 0,
  };
}
