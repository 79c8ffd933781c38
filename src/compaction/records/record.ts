import { fromFolder } from '../text/from-folder.ts';
import type { Sentence, StoredSentence } from '../../language/sentence.ts';
import type { Kind, Message } from '../messages/message.ts';
import type { QuoteCounts } from '../messages/quote.ts';

/** The ways a compaction treats messages. */
export type Fate = 'keep' | 'hide' | 'clip' | 'offload' | 'drop' | 'summarise' | 'insert';

/** Text for people: a sentence of this program, or the words of a custom strategy, a model or a provider. */
export type Phrase = Sentence | string;

/** A phrase as a record stores it. */
export interface RecordedText {
  /** In English if it is a sentence. */
  readonly message: string;
  /** Absent for the words of others, and in records of earlier versions. */
  readonly sentence?: StoredSentence;
}

/** An action and the messages it affected. Tokens are counted with the project's one counter. */
export interface RecordedAction {
  readonly kind: Fate;
  /** Messages of the view before, in its order. Empty for an insertion. */
  readonly sourceIds: readonly string[];
  /** The message in the view after that replaces the sources. */
  readonly outputId?: string;
  /** Insertions only: the message that the new one follows, `null` for the start of the view. */
  readonly after?: string | null;
  /** In English if it is a sentence. */
  readonly reason: string;
  /** The sentence of the reason. Absent for the words of others, and in records of earlier versions. */
  readonly sentence?: StoredSentence;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Under this id `recall` returns the original. */
  readonly archiveRef?: string;
}

export type Requirement = 'soft' | 'hard';

/**
 * The cause of a compaction: a person, a share of the window, the room for the reply, a number of tokens, messages
 * or turns, that it pays for itself under the prompt cache, a new request of the person that what was brought back does
 * not answer, the agent, a finished step of the plan, or a request that is too long for the window, because a provider
 * refused it or because it is plain to see.
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

/** True if it was asked for, whatever the size. */
export function isAsked({ source }: Trigger): boolean {
  return source === 'manual' || source === 'agent';
}

/**
 * Start of a compaction that no person asked for: alongside calls before it was due, early because it pays for itself
 * under the prompt cache, or when it was due.
 */
export type TriggerStart = 'background' | 'early' | 'due';

export interface Trigger {
  readonly source: TriggerSource;
  /** `hard`: the view must come down to the target, whatever it takes. */
  readonly requirement: Requirement;
  /** Size that set it off: view, tool schemas and what the next call adds, in tokens. */
  readonly tokens: number;
  /** Not in records of earlier versions, nor if a person asked for it or a provider refused a request. */
  readonly start?: TriggerStart;
  /**
   * The limit that was reached, in the unit of the source: tokens, messages or turns. Absent if there is no such
   * limit.
   */
  readonly threshold?: number;
}

/** Size of a view at one moment, tool schemas included. */
export interface ViewSize {
  readonly messages: number;
  readonly tokens: number;
  readonly byKind: Readonly<Record<Kind, number>>;
}

export type RecordStatus = 'applied' | 'unchanged' | 'refused' | 'failed' | 'cancelled';

/** Reasons why a compaction did not happen, or another strategy had to do it. */
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

/** One strategy that was tried. A hard requirement may try several. */
export interface Tier {
  readonly strategy: string;
  readonly status: RecordStatus;
  readonly reason?: Reason;
}

/** The count of facts of one sort that are still in context, out of those that were before. */
export interface Kept {
  readonly kept: number;
  readonly total: number;
  readonly missing: readonly string[];
}

export interface Coverage {
  readonly files: Kept;
  readonly commands: Kept;
  readonly errors: Kept;
  readonly identifiers: Kept;
  readonly userMessages: Kept;
}

/** Costs and savings of a compaction under a prompt cache, in tokens. */
export interface Cost {
  /** Tokens of the view after that the provider's cache no longer has. */
  readonly cacheMissTokens: number;
  /** Tokens that every later call no longer sends. */
  readonly savedPerCall: number;
  /** Calls until the savings have paid for the cache miss; `null` if they never do. */
  readonly breakEvenCalls: number | null;
}

/** The making of a summary. Tokens are the provider's if it reported them, otherwise counted here. */
export interface SummaryReport {
  readonly model: string;
  readonly promptTokens: number;
  readonly outputTokens: number;
  readonly attempts: number;
  /** Appended to the chat's own request, whose prefix the provider's cache had. */
  readonly isContinued?: boolean;
  /** Of the quotes asked for with it; absent if none were. */
  readonly quotes?: QuoteCounts;
  /** The work of other models for the same compaction. */
  readonly beside?: readonly SummaryReport[];
}

/** A part of a view, whole exchanges. */
export interface RecordedPart {
  readonly firstId: string;
  readonly lastId: string;
  /** True if the conversation goes on from before the part, so that the newest request in it may leave, too. */
  readonly rewinds?: boolean;
}

/** Requests that a compaction made to models, also if nothing came of them. */
export interface ModelUse {
  readonly requests: number;
  /** As the provider reported them, otherwise counted here. */
  readonly promptTokens: number;
  readonly outputTokens: number;
}

/** Strategy ids of what people do by hand. They are no strategies to choose. */
export const hideId = 'hide';
export const rewindId = 'rewind';

/** A compaction: what was asked, what was done to each message, what it measured. Also for attempts that failed. */
export interface CompactionRecord {
  readonly id: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly trigger: Trigger;
  readonly requestedStrategy: string;
  readonly actualStrategy: string;
  /** The own title of a custom strategy that made it, if that has one; stored, as the strategy may be gone. */
  readonly strategyTitle?: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly focus?: string;
  /** Folder against which file names are resolved, absolute. Not in records of earlier versions. */
  readonly folder?: string;
  readonly status: RecordStatus;
  readonly reason?: Reason;
  readonly tiers: readonly Tier[];
  readonly before: ViewSize;
  readonly after: ViewSize;
  readonly actions: readonly RecordedAction[];
  /** The messages that the actions brought into the view. */
  readonly outputs: readonly Message[];
  readonly summary?: SummaryReport;
  /** True if a person changed the words of the summary before it was applied. */
  readonly isEdited?: boolean;
  /** The part of the view that a person chose, by its first and last message; absent if it was the whole. */
  readonly part?: RecordedPart;
  /** In the last record of a compaction that asked a model; not in records of earlier versions. */
  readonly modelUse?: ModelUse;
  readonly coverage: Coverage;
  readonly cost: Cost;
  /** Size that it aimed at, in tokens. Absent without a limit, and in records of earlier versions. */
  readonly target?: number;
  readonly durationMs: number;
  readonly warnings: readonly string[];
  /** The sentences of the warnings, at the same places; `null` for the words of others. Absent if there are none. */
  readonly warningSentences?: readonly (StoredSentence | null)[];
}

/** Files that came back with a summary. */
export interface FilesBack {
  readonly files: number;
  /** Of all of them, as they are in context. */
  readonly tokens: number;
}

/** Coverage as users read it: missing files by their paths from the session's folder. */
export function shownCoverage({ coverage, folder }: Pick<CompactionRecord, 'coverage' | 'folder'>): Coverage {
  const { files } = coverage;
  return { ...coverage, files: { ...files, missing: files.missing.map((path) => fromFolder(path, folder)) } };
}

/** The files that a compaction brought back; undefined if there are none. */
export function filesBackOf({ actions, outputs }: CompactionRecord): FilesBack | undefined {
  const copies = new Set(outputs.flatMap(({ id, kind }) => (kind === 'file' ? [id] : [])));
  const insertions = actions.filter(({ kind, outputId = '' }) => kind === 'insert' && copies.has(outputId));
  if (insertions.length === 0) return undefined;
  const tokens = insertions.reduce((total, { tokensAfter }) => total + tokensAfter, 0);
  return { files: insertions.length, tokens };
}

/**
 * The records that an undo of one record takes with it: itself, and every later one that touched a message which
 * it, or another of them, had brought into the view. Oldest first.
 */
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
