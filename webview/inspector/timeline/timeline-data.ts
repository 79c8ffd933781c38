import type { CallPoint, MarkPoint, TimelineNotification } from '../../../src/protocol/inspector-timeline.ts';

/** A request with its size. */
export interface Call extends CallPoint {
  readonly tokens: number;
}

/** The requests that are known so far: the host sends only what came since. */
export class TimelineData {
  private known: Call[] = [];
  private happened: readonly MarkPoint[] = [];
  private counted = 0;

  get calls(): readonly Call[] {
    return this.known;
  }

  get marks(): readonly MarkPoint[] {
    return this.happened;
  }

  /** 0 where nothing is known. */
  get generation(): number {
    return this.counted;
  }

  clear(): void {
    this.known = [];
    this.happened = [];
    this.counted = 0;
  }

  add({ generation, from, calls, marks }: TimelineNotification): void {
    this.counted = generation;
    this.happened = marks;
    // What was known of an earlier generation goes with its first request.
    this.known = [...this.known.slice(0, from), ...calls.map(withTokens)];
  }
}

function withTokens(point: CallPoint): Call {
  return { ...point, tokens: point.byKind.reduce((sum, tokens) => sum + tokens, 0) };
}
