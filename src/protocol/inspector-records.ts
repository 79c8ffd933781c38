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

/** A compaction in the inspector's terms, and what it did to each message. */

/** A record without its messages. */
export interface RecordView {
  readonly id: string;
  readonly createdAt: string;
  readonly trigger: TriggerSource;
  /** Size that set it off. */
  readonly triggerTokens?: number | undefined;
  /** Its start and the limit it reached; missing in records of earlier versions. */
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
  /** Size that it aimed at. */
  readonly target?: number | undefined;
  readonly summaryModel?: string | undefined;
  /** Quotes that came with the summary; undefined if none were asked for. */
  readonly quotes?: QuoteCounts | undefined;
  /** A person changed the words of its summary. */
  readonly isEdited?: boolean | undefined;
  /** Undefined if no file came back. */
  readonly filesBack?: FilesBack | undefined;
  /** The part that a person chose: its number of messages, and whether the conversation went on from before it. */
  readonly part?: { readonly messages: number; readonly rewinds: boolean } | undefined;
  readonly durationMs: number;
  readonly warnings: readonly string[];
  readonly isUndone: boolean;
  /** Later compactions that build on this one and would be undone with it. */
  readonly undoneWith: readonly string[];
}

/** A message in a diff or of a sub-agent: a line of it, never the whole. */
export interface MessageView {
  readonly id: string;
  readonly kind: Kind;
  /** The speaker, or the name of the tool. */
  readonly title: string;
  /** The arguments of a tool call, in a few words. */
  readonly label: string;
  readonly excerpt: string;
  readonly tokens: number;
  /** Its original was brought back after this compaction. */
  readonly isRestored: boolean;
  /** Every compaction keeps it as it is, from now on. */
  readonly isPinned?: boolean | undefined;
  /** It is in context now. */
  readonly isInContext?: boolean | undefined;
  /** A person hid it, and did not show it again. */
  readonly isHidden?: boolean | undefined;
}

export interface DiffRowView {
  readonly index: number;
  readonly fate: RowFate;
  readonly reason: string;
  /** The first few; the rest on request. */
  readonly sources: readonly MessageView[];
  readonly sourceCount: number;
  /** Sources that a person hid since, and did not show again; none if left out. */
  readonly hiddenCount?: number | undefined;
  /** Sources by kind, for the filter. */
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  /** Names of the tools that its sources call or answer for, and files that they name, for the filter. */
  readonly tools?: readonly string[];
  readonly files?: readonly string[];
  readonly output?: MessageView | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}
