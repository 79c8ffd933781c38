import { isSystem, type Message, type ToolSchema } from '../compaction/messages/message.ts';
import type { ModelFacts } from '../compaction/budget/model-table.ts';
import { sum, type UsageMeter } from '../compaction/tokens/usage.ts';
import { messagesOf, type Transcript } from '../compaction/transcript/transcript.ts';
import { type ContextLimits, type LimitEvidence, limitsOf, type SetLimits } from './context-limits.ts';
import type { TimelineCall } from './session-timeline.ts';

/** Tokens of a request that are not in its session file: the system prompt and tool definitions. */
interface Unseen {
  readonly tokens: number;
  /** Agent version used for the measurement; absent if the session itself provides the number. */
  readonly measuredWith?: string;
}

/** Evidence of how full a context is. Sizes are in tokens. */
interface FullnessEvidence extends LimitEvidence {
  /** Our count of the view and the tool definitions in the file. */
  readonly counted: number;
  /** Tokens in the last valid report on a request and its reply, and our count of later messages. */
  readonly reported?: { readonly tokens: number; readonly since: number } | undefined;
  readonly unseen?: Unseen | undefined;
}

/** Fullness of a context. Sizes are in tokens. */
export interface Fullness extends ContextLimits {
  readonly tokens: number;
  /** `reported`: by the provider or the agent, plus our count of later messages; `counted`: by us only. */
  readonly basis: 'reported' | 'counted';
  /** Tokens that are not in the file; absent if nothing is missing, or if the number is unknown. */
  readonly unseen?: Unseen;
}

/** Determines how full a context is: by the report, or by our count plus the known tokens outside the file. */
export function fullnessOf({ counted, reported, unseen, ...limits }: FullnessEvidence): Fullness {
  const known = limitsOf(limits);
  if (reported === undefined) {
    const tokens = counted + (unseen?.tokens ?? 0);
    return { ...known, tokens, basis: 'counted', ...(unseen !== undefined && { unseen }) };
  }
  const tokens = reported.tokens + reported.since;
  const rest = unseen === undefined ? 0 : Math.max(0, tokens - counted);
  return { ...known, tokens, basis: 'reported', ...(rest > 0 && { unseen: { tokens: rest } }) };
}

/** The parts of another agent's session that determine its fullness. */
export interface FilledSession {
  /** Includes the agent's compactions. */
  readonly transcript: Transcript;
  readonly tools: readonly ToolSchema[];
  readonly window?: number | undefined;
  /** The agent's own last count of its context, taken before the message at this index. */
  readonly context?: { readonly tokens: number; readonly beforeMessageIndex: number } | undefined;
  readonly compactions: readonly {
    readonly beforeMessageIndex: number;
    readonly trigger?: 'automatic' | 'manual' | undefined;
    readonly tokensBefore?: number | undefined;
  }[];
}

/** Facts about the agent and the model that are not in the session file. */
export interface FullnessKnowledge {
  readonly factsOf: (model: string) => Pick<ModelFacts, 'window' | 'otherWindow'>;
  readonly set?: SetLimits | undefined;
  /** Sizes of the parts missing from the agent's files, measured with one version of the agent. */
  readonly measured?:
    { readonly version: string; readonly system: number; readonly tools: number } | undefined;
}

/** Collects the evidence of a session's limits. */
export function limitEvidenceOf(
  { transcript, window: stated, compactions }: FilledSession,
  { factsOf, set }: FullnessKnowledge,
): LimitEvidence {
  const messages = messagesOf(transcript);
  const model = modelOf(messages);
  return {
    stated,
    set,
    model,
    facts: model === undefined ? undefined : factsOf(model),
    largest: messages.reduce(
      (most, { usage, modelId = model }) =>
        modelId === model ? Math.max(most, usage?.inputTokens ?? 0) : most,
      0,
    ),
    automatic: automaticSize(messages, compactions),
  };
}

/**
 * Returns the context size at the last automatic compaction: the larger of the request before it and the size stated
 * in the file. Some formats state the size of the summary request.
 */
function automaticSize(
  messages: readonly Message[],
  compactions: FilledSession['compactions'],
): number | undefined {
  const last = compactions.findLast(({ trigger }) => trigger === 'automatic');
  if (last === undefined) return undefined;
  const { usage } =
    messages.slice(0, last.beforeMessageIndex).findLast((message) => message.usage !== undefined) ?? {};
  const size = Math.max(
    last.tokensBefore ?? 0,
    usage === undefined ? 0 : usage.inputTokens + usage.outputTokens,
  );
  return size > 0 ? size : undefined;
}

/** Returns the model of the last reply that names a model. */
export function modelOf(messages: readonly Message[]): string | undefined {
  return messages.findLast(({ modelId }) => modelId !== undefined)?.modelId;
}

/**
 * Collects the evidence of how full a session's context is.
 *
 * @param calls requests of the session's timeline
 */
export async function fullnessEvidenceOf(
  session: FilledSession,
  knowledge: FullnessKnowledge,
  calls: readonly TimelineCall[],
  meter: UsageMeter,
): Promise<FullnessEvidence> {
  const { transcript, tools } = session;
  const { total: counted } = sum([await meter.measureTools(tools), await meter.measure(transcript.view)]);
  const report = ownCount(session) ?? lastReport(transcript);
  return {
    ...limitEvidenceOf(session, knowledge),
    counted,
    reported: report && { tokens: report.tokens, since: sum(await meter.measureEach(report.since)).total },
    unseen: unseenOf(session, knowledge, calls),
  };
}

/**
 * Returns the provider's last report on a request and its reply, unless a compaction, an undo or a restore followed.
 */
export function lastReport({ entries }: Pick<Transcript, 'entries'>): LastReport | undefined {
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index];
    if (entry === undefined || entry.type === 'undo' || entry.type === 'restore') return undefined;
    if (entry.type === 'compaction' && entry.record.status === 'applied') return undefined;
    if (entry.type !== 'message' || entry.message.usage === undefined) continue;
    const { inputTokens, outputTokens } = entry.message.usage;
    if (inputTokens + outputTokens === 0) continue;
    return { tokens: inputTokens + outputTokens, since: messagesOf({ entries: entries.slice(index + 1) }) };
  }
  return undefined;
}

function ownCount({ context, transcript }: FilledSession): LastReport | undefined {
  if (context === undefined) return undefined;
  return { tokens: context.tokens, since: messagesOf(transcript).slice(context.beforeMessageIndex) };
}

interface LastReport {
  readonly tokens: number;
  /** Messages added after the report. */
  readonly since: readonly Message[];
}

/** Returns the parts of every request that are not in a session's file. */
export function missingParts({ transcript, tools }: FilledSession): readonly ('system' | 'tools')[] {
  return [
    ...(messagesOf(transcript).some(isSystem) ? [] : (['system'] as const)),
    ...(tools.length > 0 ? [] : (['tools'] as const)),
  ];
}

/**
 * Estimates the tokens that are not in the file. The session's own reports are better evidence than a table, because
 * they include this user's servers and instructions. The median is used, because our count and the provider's
 * count differ more as the context fills.
 */
function unseenOf(
  session: FilledSession,
  { measured }: FullnessKnowledge,
  calls: readonly TimelineCall[],
): Unseen | undefined {
  const missing = missingParts(session);
  if (missing.length === 0) return undefined;
  const lacked = calls
    .flatMap(({ reported, tokens }) => {
      return reported === undefined || reported.inputTokens === 0 ? [] : [reported.inputTokens - tokens];
    })
    .toSorted((one, other) => one - other);
  const middle = lacked[Math.floor(lacked.length / 2)];
  if (middle !== undefined) return { tokens: Math.max(0, middle) };
  const tokens = missing.reduce((total, part) => total + (measured?.[part] ?? 0), 0);
  return measured === undefined || tokens === 0 ? undefined : { tokens, measuredWith: measured.version };
}
