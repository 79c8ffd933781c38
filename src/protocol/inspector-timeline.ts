import type { RecordStatus, TriggerStart } from '../compaction/records/record.ts';
import { count, fromHost, id, ifValid } from './field-guards.ts';
import { type MessageOf, messages } from './messages.ts';

/** Messages of the Timeline tab. All sizes in tokens. */

/** One request of the agent. Short, because a session can have thousands. */
export interface CallPoint {
  /** The message that came back. */
  readonly messageId: string;
  /** The first message, other than results, that was said since the request before; absent if it is the one above. */
  readonly firstId?: string | undefined;
  /** Time of what came back, ISO 8601. */
  readonly at: string;
  /** By kind, in the order of `kinds`; they add up to what was sent, as counted. */
  readonly byKind: readonly number[];
  /** Of these, what the request began with as the one before it did. */
  readonly kept: number;
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

/** A text around what differs from another one. Untrusted, as the conversation is. */
export interface MarkedText {
  /** Something was left out before and after it. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
  readonly alike: string;
  readonly changed: string;
  readonly rest: string;
}

/** The first tool or message of a request that is another one than in the request next to it. */
export interface DifferenceSide {
  readonly title: string;
  /** A few words more: the name of a tool, or the call that a result answers. */
  readonly label: string;
  readonly text: MarkedText;
}

/** A request next to the one before it. */
export interface RequestDifferenceView {
  /** The reply to the request. */
  readonly messageId: string;
  /** Number of the request, counted from 1. */
  readonly request: number;
  /** Sentences on what made it differ. */
  readonly cause: readonly string[];
  /** The compaction that did. */
  readonly recordId?: string | undefined;
  /** Undefined if a request has ended there, or nothing differs. */
  readonly before: DifferenceSide | undefined;
  readonly after: DifferenceSide | undefined;
  /** The part that a cache can serve, the part written to it again, and new messages. */
  readonly kept: number;
  readonly again: number;
  readonly fresh: number;
  /** Dollars for the part written again, and had the cache served it. */
  readonly money?: { readonly written: number; readonly read?: number } | undefined;
  /** Input that the provider read from its cache, as it reported. */
  readonly reportedCached?: number | undefined;
}

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
    /** Indices of the requests whose reply a person hid and did not show again. */
    hidden: ifValid(fromHost<readonly number[]>()),
  },
  'request-difference': {
    sessionId: fromHost<string>(),
    view: fromHost<RequestDifferenceView>(),
  },
});

export type TimelineNotification = MessageOf<typeof timelineNotifications, 'timeline'>;

export type DifferenceNotification = MessageOf<typeof timelineNotifications, 'request-difference'>;

export const timelineRequests = messages({
  /** Asks for the requests from an index on, of a generation the page knows; 0 for none. */
  timeline: { generation: count, from: count },
  /** Asks for the difference between the request that a message answers and the one before it. */
  'request-difference': { messageId: id },
});
