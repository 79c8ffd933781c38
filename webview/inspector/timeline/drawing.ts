import { kinds } from '../../../src/compaction/message.ts';
import type { Bucket, Range } from './buckets.ts';
import { patternId, patterns } from './patterns.ts';
import { svg } from './svg.ts';
import type { Call } from './timeline-data.ts';

/** Height of the bars, and of what is above and below them, in pixels. */
export const plotHeight = 200;
export const headHeight = 26;
/** Width of the place behind the last request, in pixels. */
const endWidth = 3;

export interface Drawn {
  readonly calls: readonly Call[];
  readonly range: Range;
  readonly buckets: readonly Bucket[];
  /** Pixels. */
  readonly width: number;
  /** Tokens that the whole height stands for. */
  readonly scale: number;
  /** Tokens, where the line is in the chart. */
  readonly trigger: number | undefined;
}

/** Draws bars: one path for each kind, however many bars there are. */
export class Drawing {
  readonly element: SVGSVGElement;
  private readonly areas = kinds.map((kind) =>
    svg('path', { class: `area area-${kind}`, fill: `url(#${patternId(kind)})` }),
  );
  private readonly triggerLine = svg('line', { class: 'trigger-line' });
  private readonly cursor = svg('rect', { class: 'cursor', y: headHeight, height: plotHeight });
  private readonly selection = svg('rect', { class: 'selection', y: headHeight, height: plotHeight });
  private drawn: Drawn | undefined;

  constructor() {
    this.element = svg(
      'svg',
      { class: 'drawing', height: headHeight + plotHeight, 'aria-hidden': 'true' },
      patterns(),
      this.cursor,
      ...this.areas,
      this.triggerLine,
      this.selection,
    );
  }

  draw(drawn: Drawn): void {
    this.drawn = drawn;
    const paths = pathsOf(drawn);
    this.areas.forEach((area, index) => area.setAttribute('d', paths[index] ?? ''));
    const { trigger, width, scale } = drawn;
    this.triggerLine.toggleAttribute('hidden', trigger === undefined);
    if (trigger === undefined) return;
    const y = headHeight + plotHeight * (1 - trigger / scale);
    set(this.triggerLine, { x1: 0, x2: width, y1: y, y2: y });
  }

  /** Marks the bar of a request, or the end behind the last one; none where not given. */
  point(index: number | undefined): void {
    const { drawn } = this;
    const bucket = drawn?.buckets.find(({ from, to }) => index !== undefined && index >= from && index < to);
    const isEnd = drawn !== undefined && index === drawn.range.to;
    this.cursor.toggleAttribute('hidden', bucket === undefined && !isEnd);
    if (isEnd) set(this.cursor, { x: drawn.width - endWidth, width: endWidth });
    else if (bucket !== undefined && drawn !== undefined) set(this.cursor, spanOf(bucket, drawn));
  }

  /** Marks some requests; none where not given. */
  select(range: Range | undefined): void {
    this.selection.toggleAttribute('hidden', range === undefined);
    if (range === undefined || this.drawn === undefined) return;
    set(this.selection, spanOf(range, this.drawn));
  }
}

/** Left edge of a request, in pixels. */
export function placeOf(index: number, { range, width }: Pick<Drawn, 'range' | 'width'>): number {
  return ((index - range.from) / Math.max(1, range.to - range.from)) * width;
}

function spanOf({ from, to }: Range, drawn: Drawn): { readonly x: number; readonly width: number } {
  const x = placeOf(from, drawn);
  return { x, width: Math.max(1, placeOf(to, drawn) - x) };
}

/** Each kind's bars as one path, in the order of the kinds, the first one at the bottom. */
function pathsOf(drawn: Drawn): readonly string[] {
  const paths: string[][] = kinds.map(() => []);
  for (const bucket of drawn.buckets) {
    const { x, width } = spanOf(bucket, drawn);
    const bar = Math.max(1, width > 4 ? width - 1.5 : width > 2 ? width - 0.5 : width);
    let bottom = headHeight + plotHeight;
    drawn.calls[bucket.peak]?.byKind.forEach((tokens, index) => {
      if (tokens <= 0) return;
      const height = (tokens / drawn.scale) * plotHeight;
      bottom -= height;
      paths[index]?.push(`M${round(x)} ${round(bottom)}h${round(bar)}v${round(height)}h${round(-bar)}z`);
    });
  }
  return paths.map((path) => path.join(''));
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function set(target: SVGElement, attributes: Readonly<Record<string, number>>): void {
  for (const [name, value] of Object.entries(attributes)) target.setAttribute(name, String(round(value)));
}
