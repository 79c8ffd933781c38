import type { RecordStatus } from '../compaction/records/record.ts';
import { fromHost, id, optional, textUpTo } from './field-guards.ts';
import { type MessageOf, messages } from './messages.ts';
import type { RecordView } from './inspector-records.ts';
import { missingKinds } from './inspector-compactions.ts';

/** Messages of the What-if tab. */

/** Kinds of facts that are counted for each strategy. `rules`: rules and preferences of the user. */
export const talliedKinds = [...missingKinds, 'rules'] as const;
export type TalliedKind = (typeof talliedKinds)[number];

/** Number of facts that remain, and number of all facts. */
export interface Share {
  readonly kept: number;
  readonly total: number;
}

/** The effect that a strategy would have. */
export interface WhatIfRow {
  readonly strategy: string;
  /** Title of a custom strategy, or the author of an actual compaction. */
  readonly title?: string | undefined;
  readonly status: RecordStatus;
  readonly reason?: string | undefined;
  readonly tokensAfter: number;
  readonly savedPerCall: number;
  readonly cacheMissTokens: number;
  /** Number of calls until the savings exceed the cost of the cache miss; `null` if they never do. */
  readonly breakEvenCalls: number | null;
  readonly coverage: Readonly<Record<TalliedKind, Share>>;
  /** Number of model calls; undefined if unknown, as for another agent's compaction. */
  readonly modelCalls?: number | undefined;
  /** True if another model wrote the summary. When the strategy is applied, the session's own model writes it again. */
  readonly isEstimate: boolean;
  /** Duration in milliseconds; undefined if unknown, as for another agent's compaction. */
  readonly durationMs?: number | undefined;
  /** Cost and savings in dollars; undefined if no price is known. */
  readonly money?: { readonly now: number; readonly savedPerCall: number } | undefined;
}

/** A compaction in a read-only session. Strategies can be tried on the context right before it. */
export interface WhatIfMoment {
  readonly recordId: string;
  /** Time of the compaction in ISO 8601. */
  readonly createdAt: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface WhatIfView {
  /** `idle`: no strategy has been tried yet. */
  readonly phase: 'idle' | 'running' | 'done' | 'cancelled' | 'failed';
  /** True if the conversation has changed since the strategies were tried. */
  readonly isStale: boolean;
  /** The strategy whose application made the comparison stale. Undoing it makes the comparison current again. */
  readonly applied?: string | undefined;
  /** The strategy being applied, while the session's own model writes its summary. */
  readonly applying?: string | undefined;
  readonly total: number;
  readonly running?: string | undefined;
  readonly problem?: string | undefined;
  readonly durationMs: number;
  readonly current: string;
  /** Moments that can be compared, newest first; empty in the chat. */
  readonly moments: readonly WhatIfMoment[];
  /** Id of the record before which strategies are compared; undefined for the current context. */
  readonly before?: string | undefined;
  /** The row of the compaction that was actually made then. Its `strategy` is the id of the record. */
  readonly made?: WhatIfRow | undefined;
  readonly rows: readonly WhatIfRow[];
}

/** Maximum characters of a strategy's name. */
const longestName = 100;
const strategy = textUpTo(longestName);

export const whatIfNotifications = messages({
  'what-if': { sessionId: fromHost<string>(), view: fromHost<WhatIfView>() },
  'what-if-lost': {
    sessionId: fromHost<string>(),
    strategy: fromHost<string>(),
    lost: fromHost<Readonly<Record<TalliedKind, readonly string[]>>>(),
  },
  /** The page requests the diff of the tried compaction by the id of `record`. */
  'what-if-preview': {
    sessionId: fromHost<string>(),
    strategy: fromHost<string>(),
    record: fromHost<RecordView>(),
  },
});

export type WhatIfNotification = MessageOf<typeof whatIfNotifications>;

export const whatIfRequests = messages({
  /** Requests the state of the comparison without starting one. */
  'what-if-show': {},
  /** Starts a comparison. `before` is the record before which strategies are tried; the current context by default. */
  'what-if-run': { before: optional(id) },
  'what-if-cancel': {},
  'what-if-lost': { strategy },
  'what-if-preview': { strategy },
  'what-if-apply': { strategy },
  'what-if-use': { strategy },
});

export type WhatIfRequest = MessageOf<typeof whatIfRequests>;

/** Id of the record of a tried strategy. No record of a transcript has such an id. */
export function previewId(strategy: string): string {
  return `what-if:${strategy}`;
}
