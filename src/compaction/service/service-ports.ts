import type { BudgetSettings } from '../budget/budget.ts';
import type { SpendingLimit } from '../budget/summary-spending.ts';
import type { ToolSchema } from '../messages/message.ts';
import type { CompactionPhase } from '../records/phase.ts';
import type { TagSuffix } from '../quoting/session-tags.ts';
import type { CompactionRecord, Reason, Trigger } from '../records/record.ts';
import type { Strategy } from '../strategies/contract/strategy.ts';
import type { FileAllowance } from '../files/restored-files.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { TranscriptEntry } from '../transcript/transcript-entry.ts';

export interface CompactionHost {
  readonly transcript: Transcript;
  readonly tools: readonly ToolSchema[];
  readonly tagSuffix?: TagSuffix;
  readonly folder?: string | undefined;
  /** Writes an entry to disk, then adds it to the transcript. */
  append(entry: TranscriptEntry): Promise<void>;
}

/** The user's settings. Read again for every compaction. */
export interface CompactionSettings {
  readonly strategy: Strategy;
  readonly options: Readonly<Record<string, unknown>>;
  readonly budget: BudgetSettings;
  /** `ask`: the user is asked first. `off`: nothing starts automatically, except after a refused request. */
  readonly mode: CompactionMode;
  /** True if a finished step of the agent's plan starts a compaction, in the mode `auto`. False by default. */
  readonly afterPlanStep?: boolean | undefined;
  readonly protectFirst: boolean;
  /** The most that automatic compactions may spend on models; no limit if undefined. */
  readonly spendingLimit?: SpendingLimit | undefined;
  readonly focus?: string | undefined;
  readonly restoreFiles?: FileAllowance | undefined;
}

export type CompactionMode = 'auto' | 'ask' | 'off';

export type CompactionEvent =
  /** Asks the user whether to compact. Without a trigger, the question is withdrawn. */
  | { readonly type: 'compaction-proposed'; readonly trigger: Trigger | undefined }
  /** If `isBackground`, no call waits. If one has to wait later, the event is repeated without this flag. */
  | {
      readonly type: 'compaction-start';
      readonly strategy: string;
      readonly trigger: Trigger;
      readonly isBackground?: boolean;
    }
  | {
      readonly type: 'compaction-end';
      readonly records: readonly CompactionRecord[];
      readonly isBackground?: boolean;
      readonly discarded?: Reason;
    }
  | PhaseEvent;

/** A phase of a compaction, including one that makes no change. */
export type PhaseEvent = {
  readonly type: 'compaction-phase';
  /** Number of the compaction, counted from 1. Two compactions overlap only while one is being discarded. */
  readonly compaction: number;
  readonly trigger: Trigger;
  readonly isBackground?: true;
} & CompactionPhase;

/** Size of a request that a provider refused as too long, in the provider's tokens. */
export interface Overflow {
  readonly limit: number | undefined;
  /** Size of the whole request, including reserved output if the provider adds it. */
  readonly actual: number | undefined;
}
