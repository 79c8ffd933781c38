import type {
  CallPoint,
  DifferenceNotification,
  MarkPoint,
  RequestDifferenceView,
  TimelineNotification,
} from '../../../src/protocol/inspector-timeline.ts';
import type {
  PointSpan,
  PointView,
  ViewDifferenceView,
  ViewsNotification,
} from '../../../src/protocol/inspector-views.ts';

/** A request with its counted tokens. */
export interface Call extends CallPoint {
  readonly tokens: number;
}

/** A point that the user chose, before the points of the session are known. */
export type PointChoice = { readonly request: number } | { readonly recordId: string } | 'first' | 'now';

/** The comparison of the context at two points. */
export interface PointComparison {
  /** Points to compare when the list of points arrives. */
  readonly wanted?: readonly [PointChoice, PointChoice] | undefined;
  /** Points that can be chosen, oldest first. The last one is the present. */
  readonly points: readonly PointView[];
  readonly span?: PointSpan | undefined;
  /** The answer about `span`. */
  readonly sizes?: ViewDifferenceView | undefined;
}

/** The known requests of a session. The host sends only new requests. */
export interface TimelineSlice {
  readonly sessionId: string;
  /** Generation of the data; 0 before the first answer. */
  readonly generation: number;
  readonly calls: readonly Call[];
  readonly marks: readonly MarkPoint[];
  /** Indices of the requests whose reply the user hid. */
  readonly hidden: ReadonlySet<number>;
  /** The comparison of a request with the previous one, if it is open. `messageId` is the reply to the request. */
  readonly difference?: { readonly messageId: string; readonly view?: RequestDifferenceView } | undefined;
  /** The comparison of two points, if it is open. */
  readonly comparison?: PointComparison | undefined;
}

export const emptyTimeline: TimelineSlice = {
  sessionId: '',
  generation: 0,
  calls: [],
  marks: [],
  hidden: new Set(),
};

/** The data of a session. Empty if the slice is of another session. */
export function timelineOf(slice: TimelineSlice, sessionId: string): TimelineSlice {
  return slice.sessionId === sessionId ? slice : { ...emptyTimeline, sessionId };
}

export function receiveTimeline(slice: TimelineSlice, news: TimelineNotification): TimelineSlice {
  const { sessionId, generation, from, calls, marks, hidden = [] } = news;
  const known = timelineOf(slice, sessionId);
  // The requests of a new generation replace all earlier ones.
  const all = [...known.calls.slice(0, from), ...calls.map(withTokens)];
  return { ...known, generation, calls: all, marks, hidden: new Set(hidden) };
}

/** Opens the comparison of a request with the previous one. @param messageId the reply to the request */
export function openDifference(slice: TimelineSlice, sessionId: string, messageId: string): TimelineSlice {
  const known = timelineOf(slice, sessionId);
  const view = known.difference?.view;
  // The shown pair stays until the next one arrives.
  return { ...known, comparison: undefined, difference: view ? { messageId, view } : { messageId } };
}

/** Ignores an answer about a request that is no longer compared. */
export function receiveDifference(slice: TimelineSlice, { view }: DifferenceNotification): TimelineSlice {
  const { messageId } = view;
  return slice.difference?.messageId === messageId ? { ...slice, difference: { messageId, view } } : slice;
}

export function openComparison(
  slice: TimelineSlice,
  sessionId: string,
  from: PointChoice,
  to: PointChoice,
): TimelineSlice {
  return { ...timelineOf(slice, sessionId), comparison: { wanted: [from, to], points: [] } };
}

/** Compares two points, in any order. Each is the number of entries before it. */
export function chooseSpan(slice: TimelineSlice, one: number, other: number): TimelineSlice {
  const { comparison } = slice;
  if (comparison === undefined) return slice;
  const span = { from: Math.min(one, other), to: Math.max(one, other) };
  return { ...slice, comparison: { points: comparison.points, span } };
}

export function receiveViews(slice: TimelineSlice, news: ViewsNotification): TimelineSlice {
  const { comparison } = slice;
  if (comparison === undefined) return slice;
  const { wanted, span, points: before } = comparison;
  if (news.type === 'view-difference') {
    const { view: sizes } = news;
    const isMeant = span?.from === sizes.from && span.to === sizes.to;
    return isMeant ? { ...slice, comparison: { ...comparison, sizes } } : slice;
  }
  const { points } = news;
  const known = { ...slice, comparison: { ...comparison, points, wanted: undefined } };
  if (wanted !== undefined) return chooseSpan(known, placeOf(wanted[0], points), placeOf(wanted[1], points));
  // If the present is compared, the comparison follows it.
  const [last, now] = [before.at(-1)?.at, points.at(-1)?.at ?? 0];
  return span !== undefined && span.to === last && last !== now ? chooseSpan(known, span.from, now) : known;
}

/** The number of entries before a chosen point; if the point does not exist, before the last point. */
function placeOf(choice: PointChoice, points: readonly PointView[]): number {
  const isChosen = (point: PointView) =>
    choice !== 'now' &&
    choice !== 'first' &&
    ('request' in choice
      ? point.type === 'request' && point.number === choice.request
      : point.type === 'compaction' && point.recordId === choice.recordId);
  const found = choice === 'first' ? points[0] : points.find(isChosen);
  return (found ?? points.at(-1))?.at ?? 0;
}

function withTokens(point: CallPoint): Call {
  return { ...point, tokens: point.byKind.reduce((sum, tokens) => sum + tokens, 0) };
}
