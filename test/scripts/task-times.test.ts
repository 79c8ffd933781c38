import { describe, expect, it } from 'vitest';
import { taskTimes, type TraceEvent } from '../../scripts/bench/pages/task-times.ts';

function event(name: string, milliseconds: number, tid = 1): TraceEvent {
  return { name, ph: 'X', pid: 1, tid, tdur: milliseconds * 1000 };
}
const frame = (milliseconds: number) => event('WebFrameWidgetImpl::UpdateLifecycle', milliseconds);

describe('the times of a trace', () => {
  it('are the times of the drawing thread', () => {
    const events = [event('RunTask', 80, 2), event('RunTask', 12), frame(3), event('RunTask', 7)];
    expect(taskTimes(events)?.longestTask).toBe(12);
  });

  it('include the longest frame', () => {
    expect(taskTimes([frame(1), frame(9), frame(4)])?.worstFrame).toBe(9);
  });

  it('may be of more tasks than a call can have arguments', () => {
    const tasks = Array.from({ length: 200_000 }, () => event('RunTask', 2));
    expect(taskTimes([frame(1), ...tasks])?.longestTask).toBe(2);
  });

  it('are empty if nothing was drawn', () => {
    expect(taskTimes([event('RunTask', 5)])).toBeUndefined();
  });
});
