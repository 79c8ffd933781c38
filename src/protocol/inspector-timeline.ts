import type { RecordStatus, TriggerStart } from '../compaction/records/record.ts';

/** What the Timeline tab and its host tell each other. All sizes in tokens. */

/** One request of the agent. Short, because a session can have thousands. */
export interface CallPoint {
  /** Time of what came back, ISO 8601. */
  readonly at: string;
  /** By kind, in the order of `kinds`; they add up to what was sent, as counted. */
  readonly byKind: readonly number[];
  /** Input as the provider counted it, and what of it came from the cache. */
  readonly reported?: number | undefined;
  readonly cached?: number | undefined;
}

/** Something that happened between two requests. */
export type MarkPoint = {
  /** Index of the first request that came after. */
  readonly atCall: number;
} & (
  | {
      readonly type: 'compaction';
      readonly recordId: string;
      readonly status: RecordStatus;
      readonly strategy: string;
      /** How it began; not there in records of earlier versions. */
      readonly start?: TriggerStart | undefined;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  /** A request was too long; leads to the first compaction that it set off. */
  | { readonly type: 'overflow'; readonly recordId: string; readonly tokens: number }
  /** So many compactions were undone; leads to the newest of them. */
  | { readonly type: 'undo'; readonly recordId?: string | undefined; readonly compactions: number }
  | { readonly type: 'restore'; readonly messages: number }
);

export interface TimelineNotification {
  readonly type: 'timeline';
  readonly sessionId: string;
  /** Requests of another generation were counted otherwise and go with none of this one. */
  readonly generation: number;
  /** Index of the first request in `calls`. */
  readonly from: number;
  readonly calls: readonly CallPoint[];
  /** All of them, oldest first. */
  readonly marks: readonly MarkPoint[];
}

/** Asks for the requests from an index on, of a generation that is known; 0 for none. */
export interface TimelineRequest {
  readonly type: 'timeline';
  readonly generation: number;
  readonly from: number;
}

/** Takes a request apart; undefined for one that is none of this tab's. */
export function parseTimelineRequest({
  type,
  generation,
  from,
}: Readonly<Record<string, unknown>>): TimelineRequest | undefined {
  if (type !== 'timeline' || !isCount(generation) || !isCount(from)) return undefined;
  return { type, generation, from };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
