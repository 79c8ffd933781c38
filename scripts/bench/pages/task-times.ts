/** An event of a Chromium trace, as far as it is read here. */
export interface TraceEvent {
  readonly name: string;
  /** Phase: `X` for an event with a beginning and an end. */
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Time that its thread worked, in microseconds: what other programs take of the machine is not in it. */
  readonly tdur?: number;
}

/** Times of what a page did, in milliseconds of work of its main thread. */
export interface TaskTimes {
  readonly longestTask: number;
  readonly worstFrame: number;
}

const taskName = 'RunTask';
/** Style, layout and paint of one frame. */
const frameName = 'WebFrameWidgetImpl::UpdateLifecycle';
/** Only the thread that draws the page has frames. */
const isFrame = ({ name, ph }: TraceEvent) => name === frameName && ph === 'X';

/** @returns undefined where nothing was drawn */
export function taskTimes(events: readonly TraceEvent[]): TaskTimes | undefined {
  const main = events.find(isFrame);
  if (main === undefined) return undefined;
  const own = events.filter(({ pid, tid }) => pid === main.pid && tid === main.tid);
  const frames = own.filter(isFrame).map(milliseconds);
  const tasks = own.filter(({ name, ph }) => name === taskName && ph === 'X').map(milliseconds);
  return {
    longestTask: Math.max(0, ...tasks),
    worstFrame: Math.max(...frames),
  };
}

function milliseconds({ tdur = 0 }: TraceEvent): number {
  return tdur / 1000;
}
