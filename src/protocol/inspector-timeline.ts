import type { RecordStatus, TriggerStart } from '../compaction/records/record.ts';
import { count, fromHost, id, ifValid } from './field-guards.ts';
import { type MessageOf, messages } from './messages.ts';

/** Messages of the Timeline tab. All sizes in tokens. */

/** A request of the agent. Short, because a session can have thousands. */
export interface CallPoint {
  /** Id of the reply. */
  readonly messageId: string;
  /** Id of the first new message, except results, since the previous request; absent if it is the reply. */
  readonly firstId?: string | undefined;
  readonly at: string;
  /** Counted tokens by kind, in the order of `kinds`; their sum is the request. */
  readonly byKind: readonly number[];
  /** Tokens at the beginning that are equal to the previous request. */
  readonly kept: number;
  /** Input tokens by the provider's count, and the part that came from the cache. */
  readonly reported?: number | undefined;
  readonly cached?: number | undefined;
}

/** An event between two requests. */
export type MarkPoint = {
  /** Index of the first request after it. */
  readonly atCall: number;
} & (
  | {
      readonly type: 'compaction';
      readonly recordId: string;
      readonly status: RecordStatus;
      readonly strategy: string;
      /** Its start; absent in records of earlier versions. */
      readonly start?: TriggerStart | undefined;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  /** A request was too long; refers to the first compaction that it started. */
  | { readonly type: 'overflow'; readonly recordId: string; readonly tokens: number }
  /** A number of compactions were undone; refers to the newest of them. */
  | { readonly type: 'undo'; readonly recordId?: string | undefined; readonly compactions: number }
  | { readonly type: 'restore'; readonly messages: number }
);

/** Text around a difference. Untrusted, like the conversation. */
export interface MarkedText {
  /** True if text before it was left out. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
  readonly alike: string;
  readonly changed: string;
  readonly rest: string;
}

/** The first tool or message that differs between two requests. */
export interface DifferenceSide {
  readonly title: string;
  /** A short label: the name of a tool, or the call that a result answers. */
  readonly label: string;
  readonly text: MarkedText;
}

/** A comparison of a request with the one before it. */
export interface RequestDifferenceView {
  readonly messageId: string;
  /** Number of the request, counted from 1. */
  readonly request: number;
  /** Sentences about the cause of the difference. */
  readonly cause: readonly string[];
  /** Id of the compaction that caused it. */
  readonly recordId?: string | undefined;
  /** Undefined if the request has no more parts, or nothing differs. */
  readonly before: DifferenceSide | undefined;
  readonly after: DifferenceSide | undefined;
  /** The tokens that a cache can serve, those written to it again, and new messages. */
  readonly kept: number;
  readonly again: number;
  readonly fresh: number;
  /** Dollars for the part written again, and the price if it had come from the cache. */
  readonly money?: { readonly written: number; readonly read?: number } | undefined;
  /** Input read from the provider's cache, as reported. */
  readonly reportedCached?: number | undefined;
}

export const timelineNotifications = messages({
  timeline: {
    sessionId: fromHost<string>(),
    /** Number of the count; requests with different numbers were counted differently and cannot be combined. */
    generation: count,
    /** Index of the first request in `calls`. */
    from: count,
    calls: fromHost<readonly CallPoint[]>(),
    /** All marks, oldest first. */
    marks: fromHost<readonly MarkPoint[]>(),
    /** Indices of the requests whose reply the user hid and did not show again. */
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
  /** Requests the data from an index on, with the generation that the page knows; 0 for none. */
  timeline: { generation: count, from: count },
  /** Requests the difference between the request that a message answers and the previous one. */
  'request-difference': { messageId: id },
});
