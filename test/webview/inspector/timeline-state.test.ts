import { describe, expect, it } from 'vitest';
import type { PointView, ViewDifferenceView } from '../../../src/protocol/inspector-views.ts';
import {
  chooseSpan,
  emptyTimeline,
  openComparison,
  openDifference,
  type PointChoice,
  receiveDifference,
  receiveTimeline,
  receiveViews,
  timelineOf,
  type TimelineSlice,
} from '../../../webview/inspector/state/timeline-state.ts';
import { call, calls, requestDifference, timelineAnswer } from '../support/tab-fixtures.ts';
import { usage } from '../support/inspector-fixtures.ts';

const sessionId = 'session-1';

describe('the requests of a session', () => {
  const read = receiveTimeline(emptyTimeline, timelineAnswer());

  it('grow by the new ones', () => {
    const grown = receiveTimeline(read, timelineAnswer({ from: 96, calls: [call(50_000)] }));
    expect(grown.calls).toHaveLength(97);
    expect(grown.calls[96]!.tokens).toBe(50_000);
  });

  it('are replaced by those of a new generation', () => {
    const again = timelineAnswer({ generation: 2, calls: calls.slice(0, 40), marks: [] });
    expect(receiveTimeline(read, again).calls).toHaveLength(40);
  });

  it('are not those of another session', () => {
    expect(timelineOf(read, sessionId)).toBe(read);
    expect(timelineOf(read, 'session-2')).toMatchObject({ generation: 0, calls: [] });
  });
});

describe('the comparison of a request with the previous one', () => {
  const answer = { type: 'request-difference', sessionId, view: requestDifference } as const;
  const open = openDifference(emptyTimeline, sessionId, 'a39');

  it('shows the answer about the request', () => {
    expect(receiveDifference(open, answer).difference?.view).toBe(requestDifference);
  });

  it('ignores the answer about another request', () => {
    const moved = openDifference(open, sessionId, 'a40');
    expect(receiveDifference(moved, answer)).toBe(moved);
  });

  it('keeps the shown pair until the next one arrives', () => {
    const next = openDifference(receiveDifference(open, answer), sessionId, 'a40');
    expect(next.difference).toEqual({ messageId: 'a40', view: requestDifference });
  });
});

describe('the comparison of two points', () => {
  const points: readonly PointView[] = [
    { type: 'request', number: 1, at: 2 },
    { type: 'request', number: 2, at: 4 },
    { type: 'compaction', recordId: 'r3', strategy: 'ladder', at: 6 },
    { type: 'now', at: 9 },
  ];
  const pointsAre = (slice: TimelineSlice, known = points) =>
    receiveViews(slice, { type: 'view-points', sessionId, points: known });
  const opened = (from: PointChoice, to: PointChoice) =>
    pointsAre(openComparison(emptyTimeline, sessionId, from, to));
  const span = ({ comparison }: TimelineSlice) => comparison?.span;

  it.each<[PointChoice, PointChoice, number, number]>([
    ['first', 'now', 2, 9],
    [{ request: 2 }, { request: 1 }, 2, 4],
    [{ recordId: 'r3' }, 'now', 6, 9],
    [{ request: 99 }, 'now', 9, 9],
  ])('from %j to %j has the earlier point first', (from, to, one, other) => {
    expect(span(opened(from, to))).toEqual({ from: one, to: other });
  });

  it('follows the session if one point is the present', () => {
    const later = [...points.slice(0, -1), { type: 'now', at: 12 } as const];
    expect(span(pointsAre(opened('first', 'now'), later))).toEqual({ from: 2, to: 12 });
    expect(span(pointsAre(opened('first', { request: 2 }), later))).toEqual({ from: 2, to: 4 });
  });

  it('ignores an answer about points that are no longer chosen', () => {
    const size = { messages: 3, tokens: 1_200, byKind: usage.byKind };
    const view: ViewDifferenceView = { from: 2, to: 9, before: size, after: size };
    const answer = { type: 'view-difference', sessionId, view } as const;
    const open = opened('first', 'now');
    expect(receiveViews(open, answer).comparison?.sizes).toBe(view);
    const moved = chooseSpan(open, 4, 9);
    expect(receiveViews(moved, answer)).toBe(moved);
  });
});
