import type { WorkerChannel } from '../../agent/worker-channel.ts';
import type { SpendingLimit } from '../../compaction/budget/summary-spending.ts';
import type { PresentFile } from '../../compaction/files/restored-files.ts';
import type { ImageRule } from '../../compaction/images/image-tokens.ts';
import type { Message } from '../../compaction/messages/message.ts';
import type { CompactionPhase } from '../../compaction/records/phase.ts';
import type { CompactionRecord, ModelUse } from '../../compaction/records/record.ts';
import type { HistoryMatches } from '../../compaction/retrieval/history-search.ts';
import type { CompactionRequest } from '../../compaction/service/compact.ts';
import type {
  CustomInput,
  CustomModel,
  CustomPrompt,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import type { StrategyId } from '../../compaction/strategies/index.ts';
import type {
  NativeCompaction,
  SummaryReply,
  SummaryRequest,
} from '../../compaction/summary/summary-model.ts';
import type { EncodingTables } from '../../compaction/tokens/exact-counter.ts';
import type { EncodingName } from '../../compaction/tokens/token-counter.ts';
import type { Usage } from '../../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import type { HeldView, TokenBreakdown } from '../../insights/token-breakdown.ts';
import type { FactFilter } from '../../protocol/inspector-ledger.ts';
import type { FactPage, Found } from '../inspector/ledger-feed.ts';
import type { ImportedChat } from '../import/imported-chat.ts';
import type { TellProgress, Trial } from '../inspector/what-if-trial.ts';
import type { SourcePlace } from '../live/session-source.ts';
import type { Imported, OtherConversation } from '../../transcripts/reading/transcript-format.ts';

/** Encoding and rules by which tokens are counted. */
export interface Counting {
  readonly encoding: EncodingName;
  readonly imageRule: ImageRule;
}

/** A moment of a session in the engine's copy. */
export interface EngineMoment {
  readonly session: string;
  readonly entries: number;
  readonly counting: Counting;
}

/** A compaction as plain data. Its messages are in the engine's copy of the session. */
export interface CompactionRun extends Omit<
  CompactionRequest,
  'view' | 'history' | 'pins' | 'strategy' | 'transcript'
> {
  readonly strategy: StrategyId;
  readonly ids: readonly string[];
  /** Traits of models by name. The empty name stands for the model in the settings. */
  readonly models: Readonly<Record<string, ModelTraits>>;
  /** The part of the spending limit that models may still use. */
  readonly left: SpendingLimit;
  readonly readsFiles: boolean;
}

/** Properties of a model that is called through the host; the offline model runs in the engine. */
export interface ModelTraits {
  readonly id: string;
  readonly window: number | undefined;
  readonly isOffline: boolean;
  readonly continuesRequests: boolean;
  readonly compactsNatively: boolean;
}

/** A session of another agent to convert to a chat. */
export interface ImportRun {
  /** Path of the session in the form that `readSessionText` takes. */
  readonly path: string;
  /** Title of the chat if the session has no typed message. */
  readonly name: string;
  /** System prompt for a conversation without one. */
  readonly systemPrompt: string;
  readonly counting: Counting;
}

/** A session of another agent that the engine reads now and after each change. */
export interface ReaderRun extends SourcePlace {
  /** Number of the reader, chosen by the host. */
  readonly reader: number;
  /** Version of the state that the host has; 0 before the first state. */
  readonly version: number;
  readonly counting: Counting;
}

/** Content of a session without its entries, which the engine sends first. */
export type ReadPart = Omit<Imported, 'entries' | 'others'>;

export interface ReadState extends ReadPart {
  readonly version: number;
  /** Number of entries at the beginning that the host already has unchanged. */
  readonly same: number;
  readonly others: readonly Omit<OtherConversation, 'read'>[];
}

/** Functions of the engine, on its own thread or on the host's thread. A task is a number that the host chooses. */
export interface EngineThread {
  count(encoding: EncodingName, texts: readonly string[]): readonly number[];
  /** Returns the tables of an encoding, so that the host can count: about 8 MB, copied in two to three milliseconds. */
  tables(encoding: EncodingName): EncodingTables;
  /** Replaces the entries after the first `from`. @param usages of the messages among the new entries, if counted */
  entries(
    session: string,
    from: number,
    some: readonly TranscriptEntry[],
    usages: readonly (Usage | undefined)[],
    counting: Counting,
  ): void;
  forget(session: string): void;
  facts(at: EngineMoment, filter: FactFilter, from: number): FactPage;
  prepareSearch(at: EngineMoment): void;
  search(at: EngineMoment, query: string, most: number): Found;
  searchHistory(at: EngineMoment, query: string, most?: number): HistoryMatches;
  breakDown(at: EngineMoment, held: Pick<HeldView, 'tools' | 'protectFirst'>, most: number): TokenBreakdown;
  /** Plans a compaction. @returns its records, without their outputs, which are sent first */
  compact(
    at: EngineMoment,
    task: number,
    run: CompactionRun,
  ): readonly [CompactionRecord, ...CompactionRecord[]];
  tryStrategies(at: EngineMoment, task: number, trial: Trial): void;
  /** Reads a session of another agent. @returns the chat without its entries, which are sent first */
  importChat(task: number, run: ImportRun): Omit<ImportedChat, 'entries'>;
  /** Reads a session. @returns undefined if nothing has changed */
  readSession(task: number, run: ReaderRun): ReadState | undefined;
  /** Reads another conversation of a session, such as a sub-agent's. */
  readOther(task: number, run: ReaderRun, conversation: string): ReadPart;
  dropReader(reader: number): void;
  stop(task: number): void;
  /** This and the next two functions are ports of a custom strategy that is planning in a trial. */
  countFor(task: number, texts: readonly string[]): readonly number[];
  summariseFor(task: number, ids: readonly string[], focus?: string): string;
  promptFor(task: number, prompt: CustomPrompt): string;
}

/** Functions of the host that a trial of strategies calls. */
export interface TrialHost {
  progress: TellProgress;
  /** Finds the custom strategy. @returns its name */
  find(): Promise<string | undefined>;
  plan(
    input: CustomInput,
    originals: readonly Message[],
    model: Pick<CustomModel, 'id' | 'window'> | undefined,
  ): unknown;
}

/** Functions of the host that a compaction calls. */
export interface CompactionHostPorts {
  phase(phase: CompactionPhase): void;
  /** @param continuesView true if the request continues the whole view; the messages are then not sent */
  summarise(model: string, request: SummaryRequest, continuesView: boolean): Promise<SummaryReply>;
  compactNatively(model: string, messages: readonly Message[]): Promise<NativeCompaction>;
  readFile(path: string): Promise<PresentFile | undefined>;
  spent(use: ModelUse): void;
  /** Receives outputs of a record in portions, because one large message would block the host. */
  outputs(record: number, some: readonly Message[]): void;
}

/** Functions of the host that are called while a session is read. */
export interface ReadingHost {
  /** @param share share of the source that has been read, from 0 to 1 */
  readShare(share: number): void;
  /** Receives entries of the session, in order. @param usages of the messages among the entries */
  entriesRead(some: readonly TranscriptEntry[], usages: readonly (Usage | undefined)[]): void;
}

/** Functions of the host. Functions that a task calls take the task's number first. */
export type EngineHost = OfTask<TrialHost> & OfTask<CompactionHostPorts> & OfTask<ReadingHost>;

type OfTask<Functions> = {
  readonly [Name in keyof Functions]: Functions[Name] extends (...given: infer Given) => infer Result
    ? (task: number, ...given: Given) => Result
    : never;
};

/** The host's end of a channel to an engine. */
export type EngineChannel = WorkerChannel<EngineThread, EngineHost>;

/** The engine's end of a channel to the host. */
export type HostChannel = WorkerChannel<EngineHost, EngineThread>;
