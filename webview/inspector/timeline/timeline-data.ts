import type { CallPoint, MarkPoint, TimelineNotification } from '../../../src/protocol/inspector-timeline.ts';

/** A request with its size. */
export interface Call extends CallPoint {
  readonly tokens: number;
}

/** The requests that are known so far. The host sends only new requests. */
export class TimelineData {
  private known: Call[] = [];
  private happened: readonly MarkPoint[] = [];
  private counted = 0;
  private hiddenCalls: ReadonlySet<number> = new Set();

  get calls(): readonly Call[] {
    return this.known;
  }

  get marks(): readonly MarkPoint[] {
    return this.happened;
  }

  /** Indices of the requests whose reply the user hid. */
  get hidden(): ReadonlySet<number> {
    return this.hiddenCalls;
  }

  /** Generation of the data; 0 before the first data. */
  get generation(): number {
    return this.counted;
  }

  clear(): void {
    this.known = [];
    this.happened = [];
    this.counted = 0;
    this.hiddenCalls = new Set();
  }

  add({ generation, from, calls, marks, hidden = [] }: TimelineNotification): void {
    this.hiddenCalls = new Set(hidden);
    this.counted = generation;
    this.happened = marks;
    // The requests of a new generation replace all earlier ones.
    this.known = [...this.known.slice(0, from), ...calls.map(withTokens)];
  }
}

/** Tokens of a request: the provider's report or our count, whichever is larger. */
export function heightOf(call: Call | undefined): number {
  return Math.max(call?.tokens ?? 0, call?.reported ?? 0);
}

/** Maximum number of gridlines. */
const mostTicks = 5;

/** Evenly spaced round numbers from 0 up to a size. @param scale number of tokens, more than 0 */
export function ticksOf(scale: number): readonly number[] {
  const least = scale / mostTicks;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= least) ?? scale;
  return Array.from({ length: Math.floor(scale / step) + 1 }, (_, index) => index * step);
}

/** True if a request does not begin with the whole previous request. */
export function isBroken(calls: readonly Call[], index: number): boolean {
  const [before, call] = [calls[index - 1], calls[index]];
  return before !== undefined && call !== undefined && call.kept < before.tokens;
}

function withTokens(point: CallPoint): Call {
  return { ...point, tokens: point.byKind.reduce((sum, tokens) => sum + tokens, 0) };
}

/** A range of requests, from index `from` to index `to`, which is excluded. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A bar for consecutive requests. It shows the largest request. */
export interface Bucket extends Range {
  readonly peak: number;
}

/** Minimum width of a bar with the gap after it, in pixels. */
const narrowest = 2;

/** Number of requests per bar so that all requests fit. */
export function callsPerBar({ from, to }: Range, width: number): number {
  return Math.max(1, Math.ceil((to - from) / Math.max(1, Math.floor(width / narrowest))));
}

/**
 * Groups requests into bars.
 *
 * @param sizeOf returns the tokens of a request
 * @param width total width of the bars in pixels
 */
export function bucketsOf(range: Range, width: number, sizeOf: (index: number) => number): readonly Bucket[] {
  const size = callsPerBar(range, width);
  const buckets: Bucket[] = [];
  for (let from = range.from; from < range.to; from += size) {
    const to = Math.min(range.to, from + size);
    let peak = from;
    for (let index = from + 1; index < to; index++) if (sizeOf(index) > sizeOf(peak)) peak = index;
    buckets.push({ from, to, peak });
  }
  return buckets;
}
