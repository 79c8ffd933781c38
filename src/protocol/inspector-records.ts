import type { Kind } from '../compaction/messages/message.ts';
import type { QuoteCounts } from '../compaction/messages/quote.ts';
import type { RowFate } from '../compaction/records/compaction-diff.ts';
import type {
  Cost,
  Coverage,
  FilesBack,
  RecordStatus,
  Tier,
  TriggerSource,
  TriggerStart,
} from '../compaction/records/record.ts';

/** A compaction as the inspector shows it, and its effect on each message. */

/** A record without its messages. */
export interface RecordView {
  readonly id: string;
  readonly createdAt: string;
  readonly trigger: TriggerSource;
  /** Size of the context that started the compaction, in tokens. */
  readonly triggerTokens?: number | undefined;
  /** The kind of start and the limit that was reached; absent in records of earlier versions. */
  readonly start?: TriggerStart | undefined;
  readonly threshold?: number | undefined;
  readonly focus?: string | undefined;
  readonly requestedStrategy: string;
  readonly actualStrategy: string;
  readonly status: RecordStatus;
  readonly reason?: string | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly byKindBefore: Readonly<Record<Kind, number>>;
  readonly byKindAfter: Readonly<Record<Kind, number>>;
  readonly tiers: readonly Tier[];
  readonly coverage: Coverage;
  readonly cost: Cost;
  /** Size that the compaction aimed for, in tokens. */
  readonly target?: number | undefined;
  readonly summaryModel?: string | undefined;
  /** Number of quotes in the summary; undefined if none were requested. */
  readonly quotes?: QuoteCounts | undefined;
  /** True if the user edited the summary. */
  readonly isEdited?: boolean | undefined;
  /** Files that the compaction restored, or undefined. */
  readonly filesBack?: FilesBack | undefined;
  /** The part that the user chose: its number of messages, and whether the chat continued from before the part. */
  readonly part?: { readonly messages: number; readonly rewinds: boolean } | undefined;
  readonly durationMs: number;
  readonly warnings: readonly string[];
  readonly isUndone: boolean;
  /** True if a proxy made the compaction, still runs, and can undo it. */
  readonly isOfProxy?: boolean | undefined;
  /** Ids of later compactions that build on this one and would be undone with it. */
  readonly undoneWith: readonly string[];
}

/** A message of a sub-agent or in a diff, shown on one line. */
export interface MessageView {
  readonly id: string;
  readonly kind: Kind;
  /** The author, or the name of the tool. */
  readonly title: string;
  readonly label: string;
  readonly excerpt: string;
  readonly tokens: number;
  /** True if the original message was restored after this compaction. */
  readonly isRestored: boolean;
  /** True if every later compaction keeps the message unchanged. */
  readonly isPinned?: boolean | undefined;
  readonly isInContext?: boolean | undefined;
  /** True if the user hid the message and has not shown it again. */
  readonly isHidden?: boolean | undefined;
  /** True if a fact of this message is no longer in context, and no later message had it. */
  readonly isLost?: boolean | undefined;
}

export interface DiffRowView {
  readonly index: number;
  readonly fate: RowFate;
  readonly reason: string;
  /** The first few sources; the rest is sent on request. */
  readonly sources: readonly MessageView[];
  readonly sourceCount: number;
  /** Number of sources that the user hid later and has not shown again; 0 by default. */
  readonly hiddenCount?: number | undefined;
  /** Number of sources with facts that are no longer in context; 0 by default. */
  readonly lostCount?: number | undefined;
  /** Kind and tokens of every source, for the strip next to the diff. */
  readonly strip?: readonly (readonly [Kind, number])[];
  /** Number of sources of each kind, for the filter. */
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  /** Names of the tools that the sources call or answer, and files in the sources; both for the filter. */
  readonly tools?: readonly string[];
  readonly files?: readonly string[];
  readonly output?: MessageView | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}
