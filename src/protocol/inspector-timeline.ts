import type { RecordStatus, TriggerStart } from '../compaction/records/record.ts';
import { count, fromHost, id, ifValid } from './field-guards.ts';
import { type MessageOf, messages } from './messages.ts';

/** Messages of the Timeline tab. All sizes are in tokens. */

/** A request of the agent, with few fields because a session can have thousands of requests. */
export interface CallPoint {
  /** Id of the reply. */
  readonly messageId: string;
  /** Id of the first message after the previous request, tool results aside; absent if that message is the reply. */
  readonly firstId?: string | undefined;
  readonly at: string;
  /** Counted tokens by kind, in the order of `kinds`. Their sum is the size of the request. */
  readonly byKind: readonly number[];
  /** True if a prompt cache could not serve the request as far as the previous one. */
  readonly isMissed: boolean;
  /** Input tokens by the provider's count, and the number that came from the cache. */
  readonly reported?: number | undefined;
  readonly cached?: number | undefined;
  /** Dollars; undefined if the usage or the price is unknown. */
  readonly cost?: number | undefined;
  /** Times and outcome of the request, if the proxy recorded it. */
  readonly wire?: WirePoint | undefined;
}

/** A recorded request. Times are in milliseconds from its start. */
export interface WirePoint {
  /** Absent if no response began. */
  readonly firstByte?: number | undefined;
  readonly duration: number;
  /** Number of times that the client had sent the same request before. */
  readonly retry?: number | undefined;
  /** True if compacting failed, so that the request was passed on as it came. */
  readonly isUnchanged?: boolean | undefined;
  readonly failure?: FailureView | undefined;
}

/** The end of a request that failed. */
export interface FailureView {
  readonly outcome: 'complete' | 'cancelled' | 'cut-off' | 'unreachable';
  /** HTTP status; absent without a response. */
  readonly status?: number | undefined;
  /** Error of the provider. Like the conversation, it is untrusted. */
  readonly error?: string | undefined;
}

/** An event between two requests. */
export type MarkPoint = {
  /** Index of the first request after the event. */
  readonly atCall: number;
} & (
  | {
      readonly type: 'compaction';
      readonly recordId: string;
      readonly status: RecordStatus;
      readonly strategy: string;
      /** The kind of start; absent in records of earlier versions. */
      readonly start?: TriggerStart | undefined;
      readonly tokensBefore: number;
      readonly tokensAfter: number;
    }
  /** A request exceeded the window. `recordId` is the first compaction that the request started. */
  | { readonly type: 'overflow'; readonly recordId: string; readonly tokens: number }
  /** Compactions were undone. `recordId` is the newest of them. */
  | { readonly type: 'undo'; readonly recordId?: string | undefined; readonly compactions: number }
  | { readonly type: 'restore'; readonly messages: number }
  /** Requests failed, the last one in this way. */
  | ({ readonly type: 'failure'; readonly count: number } & FailureView)
);

/** Text around a difference. Like the conversation, it is untrusted. */
export interface MarkedText {
  /** True if text before the excerpt was left out. */
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
  readonly alike: string;
  readonly changed: string;
  readonly rest: string;
}

/** One side of the first difference between two requests: a tool or a message. */
export interface DifferenceSide {
  readonly title: string;
  /** A short label: the name of a tool, or the call that a result answers. */
  readonly label: string;
  readonly text: MarkedText;
}

/** The cache breaks of a session that have one cause. */
export interface BreakGroupView {
  readonly cause: string;
  readonly count: number;
  /** Tokens that were processed again. */
  readonly tokens: number;
  /** Dollars for these tokens, beyond the price of cached tokens; undefined if the price of a break is unknown. */
  readonly dollars?: number | undefined;
  /** The reply to the first request that broke the cache. */
  readonly messageId: string;
}

/** A comparison of a request with the one before it. */
export interface RequestDifferenceView {
  readonly messageId: string;
  /** Number of the request, counted from 1. */
  readonly request: number;
  /** Sentences about the reason for the difference. */
  readonly cause: readonly string[];
  /** Id of the compaction that caused the difference. */
  readonly recordId?: string | undefined;
  /** The first difference in the earlier request; undefined if that request ends there, or nothing differs. */
  readonly before: DifferenceSide | undefined;
  readonly after: DifferenceSide | undefined;
  /** Tokens that a cache can serve, tokens that are written to the cache again, and tokens of new messages. */
  readonly kept: number;
  readonly again: number;
  readonly fresh: number;
  /** Dollars for the tokens that were written again, and the dollars for reading them from the cache instead. */
  readonly money?: { readonly written: number; readonly read?: number } | undefined;
  /** Input read from the provider's cache, as reported. */
  readonly reportedCached?: number | undefined;
  /** The most expensive cache breaks of the whole session. */
  readonly breaks: readonly BreakGroupView[];
}

export const timelineNotifications = messages({
  timeline: {
    sessionId: fromHost<string>(),
    /** Changes when tokens are counted differently. Requests of different generations cannot be shown together. */
    generation: count,
    /** Index of the first request in `calls`. */
    from: count,
    calls: fromHost<readonly CallPoint[]>(),
    /** All marks, oldest first. */
    marks: fromHost<readonly MarkPoint[]>(),
    /** Indices of the requests whose reply the user hid and has not shown again. */
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
  /** Requests the data from an index on. `generation` is the generation that the page has, or 0. */
  timeline: { generation: count, from: count },
  /** Requests the difference between the request that a message answers and the previous one. */
  'request-difference': { messageId: id },
});
