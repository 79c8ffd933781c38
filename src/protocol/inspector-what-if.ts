import type { RecordStatus } from '../compaction/records/record.ts';
import { fromHost, textUpTo } from './field-guards.ts';
import { type MessageOf, messages } from './messages.ts';
import type { RecordView } from './inspector-records.ts';
import { missingKinds, type MissingKind } from './inspector-compactions.ts';

/** Messages of the What-if tab. */

/** The number of things that are left, and of all. */
export interface Share {
  readonly kept: number;
  readonly total: number;
}

/** The effect one strategy would have. */
export interface WhatIfRow {
  readonly strategy: string;
  /** Title that a custom strategy gives itself. */
  readonly title?: string | undefined;
  readonly status: RecordStatus;
  /** The reason why it would do nothing. */
  readonly reason?: string | undefined;
  readonly tokensAfter: number;
  readonly savedPerCall: number;
  readonly cacheMissTokens: number;
  /** Calls until the cache miss is paid back; `null` if that never happens. */
  readonly breakEvenCalls: number | null;
  readonly coverage: Readonly<Record<MissingKind, Share>>;
  readonly modelCalls: number;
  /** Another model than the session's own wrote the summary: applying it has that one write it first. */
  readonly isEstimate: boolean;
  readonly durationMs: number;
  /** In dollars; undefined if no price is known. */
  readonly money?: { readonly now: number; readonly savedPerCall: number } | undefined;
}

export interface WhatIfView {
  /** `idle`: nothing was tried yet. */
  readonly phase: 'idle' | 'running' | 'done' | 'cancelled' | 'failed';
  /** The conversation went on since: what was tried is of another one. */
  readonly isStale: boolean;
  /** The strategy that was applied, if that made it stale; undoing it makes it current again. */
  readonly applied?: string | undefined;
  /** The strategy being applied, while the session's own model writes its summary. */
  readonly applying?: string | undefined;
  readonly total: number;
  /** The strategy that is being tried. */
  readonly running?: string | undefined;
  /** The reason for the failure. */
  readonly problem?: string | undefined;
  readonly durationMs: number;
  /** Size of the view that they were tried on, in tokens. */
  readonly tokensBefore: number;
  /** The strategy that the settings name. */
  readonly current: string;
  readonly rows: readonly WhatIfRow[];
}

/** Longest name of a strategy, in characters. */
const longestName = 100;
const strategy = textUpTo(longestName);

export const whatIfNotifications = messages({
  'what-if': { sessionId: fromHost<string>(), view: fromHost<WhatIfView>() },
  'what-if-lost': {
    sessionId: fromHost<string>(),
    strategy: fromHost<string>(),
    lost: fromHost<Readonly<Record<MissingKind, readonly string[]>>>(),
  },
  /** Its diff is asked for by the record's id, like any other. */
  'what-if-preview': {
    sessionId: fromHost<string>(),
    strategy: fromHost<string>(),
    record: fromHost<RecordView>(),
  },
});

export type WhatIfNotification = MessageOf<typeof whatIfNotifications>;

export const whatIfRequests = messages({
  /** Asks for the state of the comparison; starts nothing. */
  'what-if-show': {},
  'what-if-run': {},
  'what-if-cancel': {},
  'what-if-lost': { strategy },
  'what-if-preview': { strategy },
  'what-if-apply': { strategy },
  'what-if-use': { strategy },
});

export type WhatIfRequest = MessageOf<typeof whatIfRequests>;

/** Id of the record that a strategy would make; no record of a transcript has such a one. */
export function previewId(strategy: string): string {
  return `what-if:${strategy}`;
}

/** Something for each thing that coverage counts. */
export function byMissingKind<Value>(valueOf: (kind: MissingKind) => Value): Record<MissingKind, Value> {
  const values = missingKinds.map((kind) => [kind, valueOf(kind)] as const);
  return Object.fromEntries(values) as Record<MissingKind, Value>;
}
