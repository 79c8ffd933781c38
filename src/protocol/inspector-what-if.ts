import type { RecordStatus } from '../compaction/records/record.ts';
import { fromHost, id, optional, textUpTo } from './field-guards.ts';
import { type MessageOf, messages } from './messages.ts';
import type { RecordView } from './inspector-records.ts';
import { missingKinds, type MissingKind } from './inspector-compactions.ts';

/** Messages of the What-if tab. */

/** A number of remaining things, and their total. */
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
  /** Calls until the cache miss is paid back; `null` if that never happens. */
  readonly breakEvenCalls: number | null;
  readonly coverage: Readonly<Record<MissingKind, Share>>;
  /** Undefined if unknown, as for another agent's compaction. */
  readonly modelCalls?: number | undefined;
  /** True if another model wrote the summary. Before the strategy is applied, the session's own writes it again. */
  readonly isEstimate: boolean;
  /** Undefined if unknown, as for another agent's compaction. */
  readonly durationMs?: number | undefined;
  /** Dollars; undefined if no price is known. */
  readonly money?: { readonly now: number; readonly savedPerCall: number } | undefined;
}

/** A compaction of a read-only session: strategies can be tried on the context right before it. */
export interface WhatIfMoment {
  readonly recordId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** Strategy or agent that made it, by id or by its own title. */
  readonly by: string;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

export interface WhatIfView {
  /** `idle`: nothing was tried yet. */
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
  /** Size of the view they were tried on, in tokens. */
  readonly tokensBefore: number;
  readonly current: string;
  /** Moments, newest first; none in the chat. */
  readonly moments: readonly WhatIfMoment[];
  /** Record of the compared or proposed moment; undefined for the current context. */
  readonly before?: string | undefined;
  /** The actual compaction at that moment, under the id of its record. */
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
    lost: fromHost<Readonly<Record<MissingKind, readonly string[]>>>(),
  },
  /** Its diff is requested by the record's id, like any other. */
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
  /** Starts a comparison. `before`: record of the moment to try strategies on; the current context by default. */
  'what-if-run': { before: optional(id) },
  'what-if-cancel': {},
  'what-if-lost': { strategy },
  'what-if-preview': { strategy },
  'what-if-apply': { strategy },
  'what-if-use': { strategy },
});

export type WhatIfRequest = MessageOf<typeof whatIfRequests>;

/** Id of the record that a strategy would make. No record of a transcript has such an id. */
export function previewId(strategy: string): string {
  return `what-if:${strategy}`;
}

/** A value for each kind of fact in the coverage. */
export function byMissingKind<Value>(valueOf: (kind: MissingKind) => Value): Record<MissingKind, Value> {
  const values = missingKinds.map((kind) => [kind, valueOf(kind)] as const);
  return Object.fromEntries(values) as Record<MissingKind, Value>;
}
