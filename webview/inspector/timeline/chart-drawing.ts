import { type Kind, kinds } from '../../../src/protocol/engine-terms.ts';
import type { Bucket, Call, Range } from './timeline-data.ts';

/** Heights of the bars and of the areas above and below them, in pixels. */
const plotHeight = 200;
const headHeight = 26;
/** Width of the position after the last request, in pixels. */
const endWidth = 3;

interface Drawn {
  readonly calls: readonly Call[];
  readonly range: Range;
  readonly buckets: readonly Bucket[];
  /** Width of the chart in pixels. */
  readonly width: number;
  /** Number of tokens at the full height. */
  readonly scale: number;
  /** Numbers of tokens at the gridlines. */
  readonly ticks: readonly number[];
  /** Number of tokens of the trigger, if the chart shows its line. */
  readonly trigger: number | undefined;
}

/** Draws the bars and the line of reported tokens: a path for each kind and one for the line, however many bars. */
export class Drawing {
  readonly element: SVGSVGElement;
  private readonly areas = kinds.map((kind) =>
    svg('path', { class: `area area-${kind}`, fill: `url(#${patternId(kind)})` }),
  );
  private readonly grid = svg('path', { class: 'gridlines' });
  private readonly reported = svg('path', { class: 'reported-line' });
  private readonly triggerLine = svg('line', { class: 'trigger-line' });
  private readonly cursor = svg('rect', { class: 'cursor', y: headHeight, height: plotHeight });
  private readonly selection = svg('rect', { class: 'selection', y: headHeight, height: plotHeight });
  private drawn: Drawn | undefined;

  constructor() {
    this.element = svg(
      'svg',
      { class: 'drawing', height: headHeight + plotHeight, 'aria-hidden': 'true' },
      patterns(),
      this.grid,
      this.cursor,
      ...this.areas,
      this.reported,
      this.triggerLine,
      this.selection,
    );
  }

  draw(drawn: Drawn): void {
    this.drawn = drawn;
    const paths = pathsOf(drawn);
    this.areas.forEach((area, index) => area.setAttribute('d', paths[index] ?? ''));
    const { trigger, width, scale, ticks } = drawn;
    const grid = ticks.map((tick) => `M0 ${round(heightAt(tick, scale))}h${round(width)}`);
    this.grid.setAttribute('d', grid.join(''));
    this.reported.setAttribute('d', reportedPath(drawn));
    this.triggerLine.toggleAttribute('hidden', trigger === undefined);
    if (trigger === undefined) return;
    const y = heightAt(trigger, scale);
    set(this.triggerLine, { x1: 0, x2: width, y1: y, y2: y });
  }

  /** Marks the bar of a request, or the position after the last request; undefined clears the mark. */
  point(index: number | undefined): void {
    const { drawn } = this;
    const bucket = drawn?.buckets.find(({ from, to }) => index !== undefined && index >= from && index < to);
    const isEnd = drawn !== undefined && index === drawn.range.to;
    this.cursor.toggleAttribute('hidden', bucket === undefined && !isEnd);
    if (isEnd) set(this.cursor, { x: drawn.width - endWidth, width: endWidth });
    else if (bucket !== undefined && drawn !== undefined) set(this.cursor, spanOf(bucket, drawn));
  }

  /** Marks a range of requests; undefined clears the marks. */
  select(range: Range | undefined): void {
    this.selection.toggleAttribute('hidden', range === undefined);
    if (range === undefined || this.drawn === undefined) return;
    set(this.selection, spanOf(range, this.drawn));
  }
}

/** Vertical position for a number of tokens, in pixels from the top. */
export function heightAt(tokens: number, scale: number): number {
  return headHeight + plotHeight * (1 - tokens / scale);
}

/** The path of the reported tokens: a horizontal line over each bar whose largest request has a report. */
function reportedPath(drawn: Drawn): string {
  let isDown = false;
  return drawn.buckets
    .map((bucket) => {
      const { reported } = drawn.calls[bucket.peak] ?? {};
      const wasDown = isDown;
      isDown = reported !== undefined;
      if (reported === undefined) return '';
      const { x, width } = spanOf(bucket, drawn);
      const y = round(heightAt(reported, drawn.scale));
      return `${wasDown ? `V${y}` : `M${round(x)} ${y}`}H${round(x + width)}`;
    })
    .join('');
}

/** Left edge of a request, in pixels. */
export function leftEdgeOf(index: number, { range, width }: Pick<Drawn, 'range' | 'width'>): number {
  return ((index - range.from) / Math.max(1, range.to - range.from)) * width;
}

function spanOf({ from, to }: Range, drawn: Drawn): { readonly x: number; readonly width: number } {
  const x = leftEdgeOf(from, drawn);
  return { x, width: Math.max(1, leftEdgeOf(to, drawn) - x) };
}

/** A path for each kind, which contains all bars of the kind. Kinds are stacked in their order. */
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

/** The fill patterns of kinds in high contrast, as in other bars: lines and dots on a small tile. */
const tiles: Readonly<
  Record<Kind, { readonly size: number; readonly path: string; readonly width: number }>
> = {
  system: { size: 4, path: 'M0 2h4', width: 4 },
  tools: { size: 6, path: 'M-1 5l2 2M0 0l6 6M5 -1l2 2', width: 2 },
  memory: { size: 4, path: 'M1 2h2', width: 2 },
  user: { size: 4, path: 'M0 1h4', width: 2 },
  assistant: { size: 4, path: 'M1 0v4', width: 2 },
  reasoning: { size: 6, path: 'M1 0v6', width: 1 },
  toolCall: { size: 6, path: 'M-1 1l2 -2M0 6l6 -6M5 7l2 -2', width: 3 },
  toolResult: { size: 6, path: 'M-1 5l2 2M0 0l6 6M5 -1l2 2', width: 4 },
  summary: { size: 4, path: 'M0 0.5h4M0.5 0v4', width: 1 },
  reminder: { size: 6, path: 'M2 3h2', width: 2 },
  skill: { size: 6, path: 'M0 3h6', width: 1 },
  skillMetadata: { size: 8, path: 'M0 4h8M4 0v8', width: 1 },
  file: { size: 6, path: 'M-1 5l2 2M0 0l6 6M5 -1l2 2', width: 1 },
};

function patternId(kind: Kind): string {
  return `pattern-${kind}`;
}

function patterns(): SVGDefsElement {
  const made = Object.entries(tiles).map(([kind, { size, path, width }]) =>
    svg(
      'pattern',
      { id: patternId(kind as Kind), width: size, height: size, patternUnits: 'userSpaceOnUse' },
      svg('path', { d: path, class: `tile tile-${kind}`, 'stroke-width': width }),
    ),
  );
  return svg('defs', {}, ...made);
}

/** Creates an SVG element. */
function svg<Tag extends keyof SVGElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[Tag] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  made.append(...children);
  return made;
}
