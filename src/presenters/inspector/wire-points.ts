import { visibleText } from '../../compaction/quoting/visible-text.ts';
import { ellipsised } from '../../compaction/text/clip.ts';
import type { FailureView, MarkPoint, WirePoint } from '../../protocol/inspector-timeline.ts';
import type { Exchange } from '../../transcripts/reading/transcript-format.ts';

/** Maximum characters of a provider's error. */
const longestError = 200;

interface WirePoints {
  /** Answered requests by the ids of their replies. */
  readonly byReply: ReadonlyMap<string, WirePoint>;
  /** Requests without a reply, gathered before the next answered request. */
  readonly failures: readonly MarkPoint[];
}

/**
 * Places recorded exchanges in a timeline.
 *
 * @param replies ids of the replies to the requests of the timeline, in order
 */
export function wirePoints(exchanges: readonly Exchange[], replies: readonly string[]): WirePoints {
  const places = new Map(replies.map((id, index) => [id, index]));
  const byReply = new Map<string, WirePoint>();
  const failures: MarkPoint[] = [];
  let open: FailureView[] = [];
  const close = (atCall: number) => {
    const last = open.at(-1);
    if (last !== undefined) failures.push({ type: 'failure', atCall, count: open.length, ...last });
    open = [];
  };
  for (const exchange of exchanges) {
    const { messageId = '', firstByte, duration, retry, isUnchanged } = exchange;
    const place = places.get(messageId);
    const failure = failureOf(exchange);
    if (place !== undefined) {
      byReply.set(messageId, { firstByte, duration, retry, isUnchanged, failure });
      close(place);
    } else if (failure !== undefined) open.push(failure);
  }
  close(replies.length);
  return { byReply, failures };
}

/** @returns undefined for a request that succeeded */
function failureOf({ outcome, status, error }: Exchange): FailureView | undefined {
  if (outcome === 'complete' && error === undefined && (status ?? 0) < 400) return undefined;
  return { outcome, status, error: error && ellipsised(visibleText(error), longestError) };
}
