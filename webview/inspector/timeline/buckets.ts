/** Requests from one index to another; the last one is not among them. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** One bar: some requests in a row, and the largest of them, which it shows. */
export interface Bucket extends Range {
  readonly peak: number;
}

/** Narrowest bar, in pixels, with the gap after it. */
const narrowest = 2;

/** Requests that a bar stands for, so that all of them fit. */
export function callsPerBar({ from, to }: Range, width: number): number {
  return Math.max(1, Math.ceil((to - from) / Math.max(1, Math.floor(width / narrowest))));
}

/**
 * Sums requests up into bars.
 *
 * @param sizeOf tokens of a request
 * @param width of all bars, in pixels
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
