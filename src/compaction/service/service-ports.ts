import type { BudgetSettings } from '../budget/budget.ts';
import type { SpendingLimit } from '../budget/summary-spending.ts';
import type { ToolSchema } from '../messages/message.ts';
import type { CompactionPhase } from '../records/phase.ts';
import type { Mark } from '../quoting/mark.ts';
import type { CompactionRecord, Reason, Trigger } from '../records/record.ts';
import type { Strategy } from '../strategies/contract/strategy.ts';
import type { FileAllowance } from '../files/returning-files.ts';
import type { Transcript } from '../transcript/transcript.ts';
import type { TranscriptEntry } from '../transcript/transcript-entry.ts';

/** The session that the service works on. */
export interface CompactionHost {
  readonly transcript: Transcript;
  readonly tools: readonly ToolSchema[];
  /** Of the session, if there is one. */
  readonly mark?: Mark;
  /** Folder against which file names are resolved, absolute. */
  readonly folder?: string | undefined;
  /** Makes an entry durable, then part of the transcript. */
  append(entry: TranscriptEntry): Promise<void>;
}

/** The choices of people. Read again for every compaction. */
export interface CompactionSettings {
  readonly strategy: Strategy;
  readonly options: Readonly<Record<string, unknown>>;
  readonly budget: BudgetSettings;
  /**
   * `ask`: a person is asked first. `off`: nothing runs by itself. In both, a request that the provider refused as too
   * long is recovered from.
   */
  readonly mode: CompactionMode;
  /** True if a finished step of the agent's plan starts a compaction, in the mode `auto`. Not if not given. */
  readonly afterPlanStep?: boolean | undefined;
  readonly protectFirst: boolean;
  /** The most that compactions which start by themselves may spend on models; without it, any amount. */
  readonly spendingLimit?: SpendingLimit | undefined;
  /** The focus of every summary. */
  readonly focus?: string | undefined;
  /** The most that comes back of files after a summary; nothing does if not given. */
  readonly restoreFiles?: FileAllowance | undefined;
}

export type CompactionMode = 'auto' | 'ask' | 'off';

export type CompactionEvent =
  /** A person is asked whether to compact; without a trigger the question is taken back. */
  | { readonly type: 'compaction-proposed'; readonly trigger: Trigger | undefined }
  /**
   * One that runs alongside the calls holds nothing up. If a call has to wait for it after all, it is told a second
   * time, without the flag.
   */
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
      /** The reason why the one in the background was discarded. */
      readonly discarded?: Reason;
    }
  | PhaseEvent;

/** One phase of a compaction, also of one that turns out to have nothing to do. */
export type PhaseEvent = {
  readonly type: 'compaction-phase';
  /**
   * The same for all phases of a compaction, counted from 1. Two overlap only if one of them is being thrown away.
   */
  readonly compaction: number;
  readonly trigger: Trigger;
  /** True if it was begun alongside the model calls. */
  readonly isBackground?: true;
} & CompactionPhase;

/** The size of a request that a provider refused as too long, as the provider stated it, in its own tokens. */
export interface Overflow {
  readonly limit: number | undefined;
  /** Size of the whole request, with the output it reserves if the provider adds that up. */
  readonly actual: number | undefined;
}
