import type { BudgetSettings } from './budget/budget.ts';
import type { ToolSchema } from './message.ts';
import type { CompactionRecord, Trigger } from './record.ts';
import type { Strategy } from './strategies/strategy.ts';
import type { Transcript } from './transcript.ts';
import type { TranscriptEntry } from './transcript-entry.ts';

/** What the service works on. */
export interface CompactionHost {
  readonly transcript: Transcript;
  readonly tools: readonly ToolSchema[];
  /** Makes an entry durable, then part of the transcript. */
  append(entry: TranscriptEntry): Promise<void>;
}

/** What people choose. Read anew for every compaction. */
export interface CompactionSettings {
  readonly strategy: Strategy;
  readonly options: Readonly<Record<string, unknown>>;
  readonly budget: BudgetSettings;
  /**
   * `ask`: a person is asked first. `off`: nothing runs by itself. In both, a request that the provider refused as
   * too long is recovered from.
   */
  readonly mode: CompactionMode;
  readonly protectFirst: boolean;
  /** What every summary should pay attention to. */
  readonly focus?: string | undefined;
}

export type CompactionMode = 'auto' | 'ask' | 'off';

export type CompactionEvent =
  /** A person is asked whether to compact; without a trigger the question is taken back. */
  | { readonly type: 'compaction-proposed'; readonly trigger: Trigger | undefined }
  | { readonly type: 'compaction-start'; readonly strategy: string; readonly trigger: Trigger }
  | { readonly type: 'compaction-end'; readonly records: readonly CompactionRecord[] };

/** What a provider said of the size of a request that it refused as too long, in its own tokens. */
export interface Overflow {
  readonly limit: number | undefined;
  /** Size of the whole request, with the output it reserves where the provider adds that up. */
  readonly actual: number | undefined;
}
