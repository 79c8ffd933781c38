/** The fields of a Chromium trace event that we use. */
export interface TraceEvent {
  readonly name: string;
  /** Phase: `X` for an event with a start and an end. */
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Working time of the thread in microseconds. Other programs on the machine do not lengthen it. */
  readonly tdur?: number;
}

/** Working times of a page's main thread, in milliseconds. */
export interface TaskTimes {
  readonly longestTask: number;
  readonly worstFrame: number;
}

const taskName = 'RunTask';
/** Name of the event for the style, layout and paint of a frame. */
const frameName = 'WebFrameWidgetImpl::UpdateLifecycle';
/** True for a frame. Only the thread that draws the page has frames. */
const isFrame = ({ name, ph }: TraceEvent) => name === frameName && ph === 'X';

/** @returns undefined if nothing was drawn */
export function taskTimes(events: readonly TraceEvent[]): TaskTimes | undefined {
  const main = events.find(isFrame);
  if (main === undefined) return undefined;
  const own = events.filter(({ pid, tid }) => pid === main.pid && tid === main.tid);
  const frames = own.filter(isFrame).map(milliseconds);
  const tasks = own.filter(({ name, ph }) => name === taskName && ph === 'X').map(milliseconds);
  return {
    longestTask: longestOf(tasks),
    worstFrame: longestOf(frames),
  };
}

/** A trace of five minutes has more tasks than a call can have arguments. */
function longestOf(times: readonly number[]): number {
  return times.reduce((longest, time) => Math.max(longest, time), 0);
}

function milliseconds({ tdur = 0 }: TraceEvent): number {
  return tdur / 1000;
}
