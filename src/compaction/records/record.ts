import { fromFolder } from '../text/from-folder.ts';
import type { Sentence, StoredSentence } from '../../language/sentence.ts';
import type { Kind, Message } from '../messages/message.ts';
import type { QuoteCounts } from '../messages/quote.ts';

export type Fate = 'keep' | 'hide' | 'clip' | 'offload' | 'drop' | 'summarise' | 'insert';

/** Text for the user: one of our sentences, or text of a custom strategy, a model or a provider. */
export type Phrase = Sentence | string;

export interface RecordedText {
  readonly message: string;
  /** Absent for text that is not ours, and in records of earlier versions. */
  readonly sentence?: StoredSentence;
}

/** An action and the messages that it affected. Tokens are counted here. */
export interface RecordedAction {
  readonly kind: Fate;
  readonly sourceIds: readonly string[];
  readonly outputId?: string;
  /** Insertions only: id of the message before the new one, `null` for the start of the view. */
  readonly after?: string | null;
  readonly reason: string;
  readonly sentence?: StoredSentence;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly archiveRef?: string;
}

export type Requirement = 'soft' | 'hard';

/**
 * Cause of a compaction:
 * - the user or the agent asked for it, or a step of the plan is finished;
 * - a limit: a share of the window, the room for the reply, a number of tokens, messages or turns;
 * - it pays for itself, in spite of the prompt cache that it loses;
 * - a new request needs passages other than the retrieved passages;
 * - a request is too long for the window, because the provider refused it or by our count.
 */
export type TriggerSource =
  | 'manual'
  | 'ratio'
  | 'reserve'
  | 'tokens'
  | 'messages'
  | 'turns'
  | 'savings'
  | 'newRequest'
  | 'agent'
  | 'planStep'
  | 'overflow';

/** True if the user or the agent requested the compaction. */
export function isAsked({ source }: Trigger): boolean {
  return source === 'manual' || source === 'agent';
}

/** Start of an automatic compaction: in the background, early because it pays for itself, or when due. */
export type TriggerStart = 'background' | 'early' | 'due';

export interface Trigger {
  readonly source: TriggerSource;
  /** `hard`: the view must reach the target by any means. */
  readonly requirement: Requirement;
  /** Size at the start: view, tool schemas and the additions of the next call, in tokens. */
  readonly tokens: number;
  /** Absent in records of earlier versions, on the user's request, and after a provider refused a request. */
  readonly start?: TriggerStart;
  /** The limit that was reached, in the unit of the source: tokens, messages or turns. Absent without a limit. */
  readonly threshold?: number;
}

export interface ViewSize {
  readonly messages: number;
  readonly tokens: number;
  readonly byKind: Readonly<Record<Kind, number>>;
}

export type RecordStatus = 'applied' | 'unchanged' | 'refused' | 'failed' | 'cancelled';

/** Reasons why a compaction failed or was handed to another strategy. */
export type ReasonCode =
  | 'nothing-to-do'
  | 'invalid-plan'
  | 'invalid-view'
  | 'protected-changed'
  | 'order-changed'
  | 'prefix-changed'
  | 'change-not-permitted'
  | 'not-smaller'
  | 'over-target'
  | 'summary-empty'
  | 'summary-whitespace'
  | 'summary-reasoning-only'
  | 'summary-cut-off'
  | 'summary-unclosed'
  | 'summary-inflated'
  | 'no-model'
  | 'model-failed'
  | 'spending-limit'
  | 'no-native-compaction'
  | 'strategy-failed'
  | 'custom-missing'
  | 'custom-failed'
  | 'custom-timeout'
  | 'custom-invalid'
  | 'base-changed'
  | 'exhausted'
  | 'cancelled';

export interface Reason extends RecordedText {
  readonly code: ReasonCode;
}

export interface Tier {
  readonly strategy: string;
  readonly status: RecordStatus;
  readonly reason?: Reason;
}

/** Number of facts of one kind that are still in context, and the number before. */
export interface CoverageCount {
  readonly kept: number;
  readonly total: number;
  readonly missing: readonly string[];
}

export interface Coverage {
  readonly files: CoverageCount;
  readonly commands: CoverageCount;
  readonly errors: CoverageCount;
  readonly identifiers: CoverageCount;
  readonly userMessages: CoverageCount;
}

/** Costs and savings of a compaction with a prompt cache, in tokens. */
export interface Cost {
  /** Tokens of the new view that are no longer in the provider's cache. */
  readonly cacheMissTokens: number;
  readonly savedPerCall: number;
  /** Calls until the savings have paid for the cache miss; `null` if they never do. */
  readonly breakEvenCalls: number | null;
}

/** The requests that created a summary. Tokens are reported by the provider, otherwise counted here. */
export interface SummaryReport {
  readonly model: string;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly attempts: number;
  /** True if the task was appended to the chat's own request, whose prefix was in the provider's cache. */
  readonly isContinued?: boolean;
  /** Counts of the requested quotes; absent if none were requested. */
  readonly quotes?: QuoteCounts;
  readonly beside?: readonly SummaryReport[];
}

export interface RecordedPart {
  readonly firstId: string;
  readonly lastId: string;
  /** True if the conversation continues from before the part. Even the newest request may then be removed. */
  readonly rewinds?: boolean;
}

export interface ModelUse {
  readonly requests: number;
  /** Tokens reported by the provider, otherwise counted here. */
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/** Strategy ids of manual changes, which cannot be chosen as strategies. */
export const hideId = 'hide';
export const rewindId = 'rewind';

/** Strategy id of changes that a client made in messages that it had sent before. */
export const rewrittenId = 'rewritten';

/** A compaction or a failed attempt: its trigger, its actions and its measurements. */
export interface CompactionRecord {
  readonly id: string;
  /** Time in ISO 8601. */
  readonly createdAt: string;
  readonly trigger: Trigger;
  readonly requestedStrategy: string;
  readonly actualStrategy: string;
  /** Declared title of a custom strategy, stored because the strategy may be removed later. */
  readonly strategyTitle?: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly focus?: string;
  /** Absolute folder against which file names are resolved. Absent in records of earlier versions. */
  readonly folder?: string;
  readonly status: RecordStatus;
  readonly reason?: Reason;
  readonly tiers: readonly Tier[];
  readonly before: ViewSize;
  readonly after: ViewSize;
  readonly actions: readonly RecordedAction[];
  readonly outputs: readonly Message[];
  readonly summary?: SummaryReport;
  readonly isEdited?: boolean;
  readonly part?: RecordedPart;
  /** Present in the last record of a compaction that asked a model. Absent in records of earlier versions. */
  readonly modelUse?: ModelUse;
  readonly coverage: Coverage;
  readonly cost: Cost;
  /** Target size, in tokens. Absent without a limit, and in records of earlier versions. */
  readonly target?: number;
  readonly durationMs: number;
  readonly warnings: readonly string[];
  /** Sentences of the warnings, at the same indices; `null` for text that is not ours. Absent without warnings. */
  readonly warningSentences?: readonly (StoredSentence | null)[];
}

export interface FilesBack {
  readonly files: number;
  readonly tokens: number;
}

/** Returns the coverage for display, with missing files relative to the session's folder. */
export function shownCoverage({ coverage, folder }: Pick<CompactionRecord, 'coverage' | 'folder'>): Coverage {
  const { files } = coverage;
  return { ...coverage, files: { ...files, missing: files.missing.map((path) => fromFolder(path, folder)) } };
}

/** Counts the files that a compaction restored, and their tokens; undefined if it restored none. */
export function filesBackOf({ actions, outputs }: CompactionRecord): FilesBack | undefined {
  const copies = new Set(outputs.flatMap(({ id, kind }) => (kind === 'file' ? [id] : [])));
  const insertions = actions.filter(({ kind, outputId = '' }) => kind === 'insert' && copies.has(outputId));
  if (insertions.length === 0) return undefined;
  const tokens = insertions.reduce((total, { tokensAfter }) => total + tokensAfter, 0);
  return { files: insertions.length, tokens };
}

/** Returns the records that an undo takes back, oldest first: also later records that touched their messages. */
export function undoneTogether(
  applied: readonly CompactionRecord[],
  recordId: string,
): readonly CompactionRecord[] {
  const first = applied.findIndex((record) => record.id === recordId);
  if (first < 0) return [];
  const undone: CompactionRecord[] = [];
  const brought = new Set<string>();
  for (const record of applied.slice(first)) {
    const touches = record.actions.some(
      (action) =>
        action.kind !== 'keep' &&
        [...action.sourceIds, ...(action.after == null ? [] : [action.after])].some((id) => brought.has(id)),
    );
    if (record.id !== recordId && !touches) continue;
    undone.push(record);
    for (const output of record.outputs) brought.add(output.id);
  }
  return undone;
}
