import type { Kind } from '../compaction/messages/message.ts';
import { count, fromHost } from './field-guards.ts';
import { type MessageOf, messages } from './messages.ts';

/** Messages about how the context differs between any two points of a session. */

/** A point to compare: a sent request, the state after a change of the context, or the current state. */
export type PointView = {
  /** Number of transcript entries before the point. */
  readonly at: number;
  /** Time of the point in ISO 8601; absent for the current state. */
  readonly createdAt?: string | undefined;
} & (
  | { readonly type: 'request'; readonly number: number }
  | { readonly type: 'compaction'; readonly recordId: string; readonly strategy: string }
  | { readonly type: 'undo' | 'restore' | 'now' }
);

/** Two points, each as the number of transcript entries before it. */
export interface PointSpan {
  readonly from: number;
  readonly to: number;
}

/** The context at one point. */
export interface ViewSizeView {
  readonly messages: number;
  readonly tokens: number;
  /** Tokens by kind, including the definitions of the tools that requests carried at this point. */
  readonly byKind: Readonly<Record<Kind, number>>;
}

export interface ViewDifferenceView extends PointSpan {
  readonly before: ViewSizeView;
  readonly after: ViewSizeView;
}

export const viewsNotifications = messages({
  'view-points': {
    sessionId: fromHost<string>(),
    /** Points, oldest first. The last point is the current state. */
    points: fromHost<readonly PointView[]>(),
  },
  'view-difference': { sessionId: fromHost<string>(), view: fromHost<ViewDifferenceView>() },
});

export type ViewsNotification = MessageOf<typeof viewsNotifications>;

export const viewsRequests = messages({
  'view-points': {},
  /** Requests the sizes of two views. The rows of the diff are requested by `viewDiffId`, as for a record. */
  'view-difference': { from: count, to: count },
});

const prefix = 'views:';

/** Id by which the page requests the rows of a difference. No record has such an id. */
export function viewDiffId({ from, to }: PointSpan): string {
  return `${prefix}${from}:${to}`;
}

/** The two points in an id of `viewDiffId`, the earlier one first; undefined for the id of a record. */
export function spanOfDiff(id: string): PointSpan | undefined {
  const [, one, other] = /^views:(\d{1,9}):(\d{1,9})$/u.exec(id) ?? [];
  if (one === undefined || other === undefined) return undefined;
  const [from, to] = [Number(one), Number(other)];
  return { from: Math.min(from, to), to: Math.max(from, to) };
}
