import type { RecordStatus, TriggerStart } from '../compaction/records/record.ts';
import { count, fromHost } from './field-guards.ts';
import { type MessageOf, messages } from './messages.ts';

/** Messages of the Timeline tab. All sizes in tokens. */

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
      /** Its start; missing in records of earlier versions. */
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

export const timelineNotifications = messages({
  timeline: {
    sessionId: fromHost<string>(),
    /** Requests of another generation were counted differently and do not go with these. */
    generation: count,
    /** Index of the first request in `calls`. */
    from: count,
    calls: fromHost<readonly CallPoint[]>(),
    /** All of them, oldest first. */
    marks: fromHost<readonly MarkPoint[]>(),
  },
});

export type TimelineNotification = MessageOf<typeof timelineNotifications>;

export const timelineRequests = messages({
  /** Asks for the requests from an index on, of a generation the page knows; 0 for none. */
  timeline: { generation: count, from: count },
});

export type TimelineRequest = MessageOf<typeof timelineRequests>;
