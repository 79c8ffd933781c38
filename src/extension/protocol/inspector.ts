import type { Kind } from '../../compaction/message.ts';
import type { Cost, Coverage, Fate, RecordStatus, Tier, TriggerSource } from '../../compaction/record.ts';

/** What the inspector and its host tell each other; snapshots and revisions as in the chat protocol. */

export interface UsageView {
  readonly tokens: number;
  readonly byKind: Readonly<Record<Kind, number>>;
  readonly window?: number | undefined;
  readonly trigger?: number | undefined;
  readonly target?: number | undefined;
  readonly reserved: number;
  /** The model has a tokenizer of its own, and another one stands in for it. */
  readonly isApproximate: boolean;
  /** What the provider last reported, and how many messages were added since. */
  readonly reported?: { readonly tokens: number; readonly messagesSince: number } | undefined;
}

/** A record without its messages. */
export interface RecordView {
  readonly id: string;
  readonly createdAt: string;
  readonly trigger: TriggerSource;
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
  readonly summaryModel?: string | undefined;
  readonly durationMs: number;
  readonly warnings: readonly string[];
  readonly isUndone: boolean;
  /** Later compactions that build on this one and would be undone with it. */
  readonly undoneWith: readonly string[];
}

export interface InspectorState {
  readonly sessionId: string;
  readonly title: string;
  readonly model: string;
  readonly strategy: string;
  /** A compaction is running now. */
  readonly isCompacting: boolean;
  readonly usage: UsageView;
  /** Newest first. */
  readonly records: readonly RecordView[];
}

/** A message in the diff: a line of it, never the whole. */
export interface MessageView {
  readonly id: string;
  readonly kind: Kind;
  /** Who, or which tool. */
  readonly title: string;
  /** What a tool was called with, in a few words. */
  readonly label: string;
  readonly excerpt: string;
  readonly tokens: number;
  /** Its original was brought back after this compaction. */
  readonly isRestored: boolean;
}

export interface DiffRowView {
  readonly index: number;
  readonly fate: Fate;
  readonly reason: string;
  /** The first few; the rest on request. */
  readonly sources: readonly MessageView[];
  readonly sourceCount: number;
  /** Sources by kind, for the filter. */
  readonly kinds: Readonly<Partial<Record<Kind, number>>>;
  readonly output?: MessageView | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

/** From the host to the inspector. */
export type InspectorNotification =
  | { readonly type: 'snapshot'; readonly revision: number; readonly state: InspectorState }
  | { readonly type: 'diff'; readonly recordId: string; readonly rows: readonly DiffRowView[] }
  | {
      readonly type: 'sources';
      readonly recordId: string;
      readonly index: number;
      readonly sources: readonly MessageView[];
    }
  | {
      readonly type: 'texts';
      readonly recordId: string;
      readonly messageId: string;
      readonly before: string;
      /** Undefined where nothing stands for the message any more. */
      readonly after?: string | undefined;
    }
  | { readonly type: 'select'; readonly recordId: string };

/** From the inspector to the host. */
export type InspectorRequest =
  | { readonly type: 'ready'; readonly sessionId?: string }
  | { readonly type: 'diff'; readonly recordId: string }
  | { readonly type: 'sources'; readonly recordId: string; readonly index: number }
  | { readonly type: 'texts'; readonly recordId: string; readonly messageId: string }
  | { readonly type: 'undo'; readonly recordId: string }
  | { readonly type: 'restore'; readonly messageId: string }
  | { readonly type: 'open-diff-editor'; readonly recordId: string; readonly messageId: string }
  | { readonly type: 'compact-now' }
  | { readonly type: 'select-strategy' };
