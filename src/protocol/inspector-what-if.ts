import type { RecordStatus } from '../compaction/records/record.ts';
import type { RecordView } from './inspector-records.ts';
import { type CompactionsRequest, missingKinds, type MissingKind } from './inspector-compactions.ts';

/** What the What-if tab and its host tell each other. */

/** How many of something are left, of how many. */
export interface Share {
  readonly kept: number;
  readonly total: number;
}

/** What one strategy would do. */
export interface WhatIfRow {
  readonly strategy: string;
  readonly status: RecordStatus;
  /** Why it would do nothing. */
  readonly reason?: string | undefined;
  readonly tokensAfter: number;
  readonly savedPerCall: number;
  readonly cacheMissTokens: number;
  /** Calls until the cache miss is paid back; `null` where that never happens. */
  readonly breakEvenCalls: number | null;
  readonly coverage: Readonly<Record<MissingKind, Share>>;
  readonly modelCalls: number;
  /** Another model than the session's own wrote the summary: applying it has that one write it first. */
  readonly isEstimate: boolean;
  readonly durationMs: number;
  /** In dollars; undefined where no price is known. */
  readonly money?: { readonly now: number; readonly savedPerCall: number } | undefined;
}

export interface WhatIfView {
  /** `idle`: nothing was tried yet. */
  readonly phase: 'idle' | 'running' | 'done' | 'cancelled' | 'failed';
  /** The conversation went on since: what was tried is of another one. */
  readonly isStale: boolean;
  /** What was applied of it, where that is why it is stale; undone, it is not any more. */
  readonly applied?: string | undefined;
  /** What is being applied: the session's own model writes its summary. */
  readonly applying?: string | undefined;
  readonly total: number;
  /** The strategy that is being tried. */
  readonly running?: string | undefined;
  /** Why it failed. */
  readonly problem?: string | undefined;
  readonly durationMs: number;
  /** Size of the view that they were tried on, in tokens. */
  readonly tokensBefore: number;
  /** The strategy that the settings name. */
  readonly current: string;
  readonly rows: readonly WhatIfRow[];
}

export type WhatIfNotification =
  | { readonly type: 'what-if'; readonly sessionId: string; readonly view: WhatIfView }
  | {
      readonly type: 'what-if-lost';
      readonly sessionId: string;
      readonly strategy: string;
      readonly lost: Readonly<Record<MissingKind, readonly string[]>>;
    }
  /** Its diff is asked for under the record's id, as that of any other. */
  | { readonly type: 'what-if-preview'; readonly sessionId: string; readonly record: RecordView };

export type WhatIfRequest =
  /** What there is, without starting anything. */
  | { readonly type: 'what-if-show' }
  | { readonly type: 'what-if-run' }
  | { readonly type: 'what-if-cancel' }
  | { readonly type: 'what-if-lost'; readonly strategy: string }
  | { readonly type: 'what-if-preview'; readonly strategy: string }
  | { readonly type: 'what-if-apply'; readonly strategy: string }
  | { readonly type: 'what-if-use'; readonly strategy: string };

export type RecordsRequest = CompactionsRequest | WhatIfRequest;

const recordsRequests: ReadonlySet<string> = new Set<RecordsRequest['type']>([
  'search-diff',
  'missing',
  'pin',
  'plan-bring-back',
  'bring-back',
  'rerun',
  'export-record',
  'what-if-show',
  'what-if-run',
  'what-if-cancel',
  'what-if-lost',
  'what-if-preview',
  'what-if-apply',
  'what-if-use',
]);

/** Whether a request is about compactions that were made or tried. */
export function isRecordsRequest(request: { readonly type: string }): request is RecordsRequest {
  return recordsRequests.has(request.type);
}

const previewPrefix = 'what-if:';

/** Id of the record that a strategy would make; no record of a transcript has such a one. */
export function previewId(strategy: string): string {
  return `${previewPrefix}${strategy}`;
}

/** The strategy whose preview has this id; undefined for the id of a record that there is. */
export function previewedStrategy(recordId: string): string | undefined {
  return recordId.startsWith(previewPrefix) ? recordId.slice(previewPrefix.length) : undefined;
}

/** Something for each thing that coverage counts. */
export function byMissingKind<Value>(valueOf: (kind: MissingKind) => Value): Record<MissingKind, Value> {
  const values = missingKinds.map((kind) => [kind, valueOf(kind)] as const);
  return Object.fromEntries(values) as Record<MissingKind, Value>;
}

/** Longest name of a strategy, in characters. */
const longestName = 100;

/** @returns undefined for what is no request of this tab */
export function parseWhatIfRequest(fields: Readonly<Record<string, unknown>>): WhatIfRequest | undefined {
  const { type, strategy } = fields;
  switch (type) {
    case 'what-if-show':
    case 'what-if-run':
    case 'what-if-cancel':
      return { type };
    case 'what-if-lost':
    case 'what-if-preview':
    case 'what-if-apply':
    case 'what-if-use':
      if (typeof strategy !== 'string' || strategy.length > longestName) return undefined;
      return { type, strategy };
    default:
      return undefined;
  }
}
