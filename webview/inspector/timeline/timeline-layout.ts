import { type Kind, kinds } from '../../../src/protocol/engine-terms.ts';
import type { MarkPoint } from '../../../src/protocol/inspector-timeline.ts';
import type { UsageView } from '../../../src/protocol/inspector.ts';
import type { Call } from '../state/timeline-state.ts';

/** A range of requests, from index `from` to index `to`, which is excluded. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A column for consecutive requests. It shows the largest one, and the sum of their costs. */
export interface Column extends Range {
  /** Index of the largest request. */
  readonly peak: number;
}

/** A size to which requests are compared. */
interface Limit {
  readonly name: 'window' | 'trigger' | 'background';
  readonly tokens: number;
}

/** Positions in pixels from the top, below the names of marks, the areas and the costs. */
export const headHeight = 24;
export const plotBottom = headHeight + 276;
export const costBottom = plotBottom + 48;
const costHeight = 32;
/** Maximum number of columns. More requests are gathered. */
const mostColumns = 300;
/** Minimum width of a column in pixels. */
const narrowest = 3;
/** Share of the height that stays free above the highest request and limit. */
const headroom = 1.06;
/** A limit above this multiple of the highest request has no line, because it would flatten the areas. */
const tooHigh = 3;

interface Content {
  readonly calls: readonly Call[];
  readonly marks: readonly MarkPoint[];
  readonly range: Range;
  readonly usage: UsageView;
  /** Width in pixels. */
  readonly width: number;
}

/** A drawn chart, in pixels. Paths are those of SVG. */
export interface Layout {
  readonly range: Range;
  readonly width: number;
  readonly columns: readonly Column[];
  readonly ticks: readonly { readonly tokens: number; readonly y: number }[];
  readonly areas: readonly { readonly kind: Kind; readonly path: string }[];
  /** The line of the reported sizes, and the area below it that is not in the session's file. */
  readonly reported: string;
  readonly beyond: string;
  readonly misses: string;
  readonly costs: string;
  /** Dollars of the highest bar; 0 if no cost is known. */
  readonly highestCost: number;
  /** `y` is undefined if the limit is above the chart. */
  readonly limits: readonly (Limit & { readonly y: number | undefined })[];
  readonly marks: readonly PlacedMarks[];
}

/** Marks in one place. Marks that are too close to be pointed at are together. */
interface PlacedMarks {
  readonly x: number;
  /** Space for the name up to the next place or the end, in pixels. */
  readonly room: number;
  /** True if the name is before the mark, because the mark is close to the end. */
  readonly isBefore: boolean;
  readonly marks: readonly MarkPoint[];
}

/** A corner of the areas. */
interface Corner {
  readonly x: number;
  readonly call: Call | undefined;
}

export function layoutOf({ calls, marks, range, usage, width }: Content): Layout {
  const limits = limitsOf(usage);
  const columns = columnsOf(calls, range, width);
  const highest = Math.max(0, ...columns.map(({ peak }) => sizeOf(calls[peak])));
  const near = limits.filter(({ tokens }) => tokens <= highest * tooHigh);
  const top = Math.max(10, highest, ...near.map(({ tokens }) => tokens)) * headroom;
  const y = (tokens: number) => round(plotBottom - (tokens / top) * (plotBottom - headHeight));
  const runs = runsOf({ calls, columns, marks, range, width });
  const withReport = partsOf(runs, ({ reported }) => reported !== undefined);
  const beyond = usage.fullness === undefined ? [] : partsOf(runs, (call) => sizeOf(call) > call.tokens);
  const line = (run: readonly Corner[], sizeAt: (call: Call) => number) =>
    run.map(({ x, call }) => `${round(x)} ${y(call === undefined ? 0 : sizeAt(call))}`).join('L');
  const area = (some: typeof runs, from: (call: Call) => number, to: (call: Call) => number) =>
    some.map((run) => `M${line(run, to)}L${line(run.toReversed(), from)}Z`).join('');
  const below = (call: Call, index: number) =>
    call.byKind.slice(0, index).reduce((sum, tokens) => sum + tokens, 0);
  const left = leftEdge(range, width);
  const missWidth = round(Math.max(2, Math.min(8, width / columns.length)));
  return {
    range,
    width,
    columns,
    ticks: ticksOf(top).map((tokens) => ({ tokens, y: y(tokens) })),
    areas: kinds
      .map((kind, index) => ({ kind, index }))
      .filter(({ index }) => columns.some(({ peak }) => (calls[peak]?.byKind[index] ?? 0) > 0))
      .map(({ kind, index }) => ({
        kind,
        path: area(
          runs,
          (call) => below(call, index),
          (call) => below(call, index + 1),
        ),
      })),
    reported: withReport.map((run) => `M${line(run, ({ reported = 0 }) => reported)}`).join(''),
    beyond: area(beyond, ({ tokens }) => tokens, sizeOf),
    misses: columns
      .filter(({ from, to }) => indicesOf(from, to).some((index) => calls[index]?.isMissed))
      .map(({ from, to }) => round((left(from) + left(to)) / 2))
      .map((x) => `M${x} ${plotBottom + 3}l${missWidth / 2} 7h${-missWidth}z`)
      .join(''),
    ...costsOf(calls, columns, left),
    limits: limits.map((limit) => ({ ...limit, y: near.includes(limit) ? y(limit.tokens) : undefined })),
    marks: placed(marks, range, width),
  };
}

/** Maximum number of gridlines above the first one. */
const mostTicks = 5;

/** Evenly spaced round numbers from 0 up to a size. */
function ticksOf(top: number): readonly number[] {
  const power = 10 ** Math.floor(Math.log10(top / mostTicks));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= top / mostTicks) ?? top;
  return indicesOf(0, Math.floor(top / step) + 1).map((index) => index * step);
}

/** The limits that the session has. Nothing is assumed of another agent. */
function limitsOf({ window: size, fullness, trigger, background }: UsageView): readonly Limit[] {
  const limits = { window: size, trigger: fullness?.compactsAt ?? trigger, background };
  return Object.entries(limits).flatMap(([name, tokens]) =>
    tokens === undefined ? [] : [{ name: name as Limit['name'], tokens }],
  );
}

/** Gathers requests in columns; each has its own if there is room. */
export function columnsOf(calls: readonly Call[], range: Range, width: number): readonly Column[] {
  const most = Math.max(1, Math.min(mostColumns, Math.floor(width / narrowest)));
  const each = Math.max(1, Math.ceil((range.to - range.from) / most));
  const columns: Column[] = [];
  for (let { from } = range; from < range.to; from += each) {
    const to = Math.min(range.to, from + each);
    const peak = indicesOf(from, to).reduce((best, index) =>
      sizeOf(calls[index]) > sizeOf(calls[best]) ? index : best,
    );
    columns.push({ from, to, peak });
  }
  return columns;
}

/** The horizontal span of a range, in pixels. */
export function spanOf({ from, to }: Range, { range, width }: Pick<Layout, 'range' | 'width'>): Range {
  const left = leftEdge(range, width);
  return { from: round(left(from)), to: round(Math.max(left(to), left(from) + 2)) };
}

/** Tokens of a request by the provider's report or our count, whichever is larger. */
function sizeOf(call: Call | undefined): number {
  return Math.max(call?.tokens ?? 0, call?.reported ?? 0);
}

/** The corners of the areas, in runs that end at each event. Areas slope within a run, and are upright between runs. */
function runsOf(content: Omit<Content, 'usage'> & Pick<Layout, 'columns'>): readonly (readonly Corner[])[] {
  const { calls, columns, marks, range, width } = content;
  const left = leftEdge(range, width);
  const runs: Corner[][] = [];
  const isChanged = (after: number, until: number) =>
    marks.some(({ type, atCall }) => type !== 'failure' && atCall > after && atCall <= until);
  columns.forEach(({ from, to, peak }, index) => {
    const call = calls[peak];
    const last = columns[index - 1]?.from ?? -1;
    if (index === 0 || isChanged(last, from)) {
      const [end] = runs.at(-1)?.slice(-1) ?? [];
      if (end !== undefined) runs.at(-1)?.push({ x: left(from), call: end.call });
      runs.push([{ x: left(from), call }]);
    }
    runs.at(-1)?.push({ x: (left(from) + left(to)) / 2, call });
    if (index === columns.length - 1) runs.at(-1)?.push({ x: width, call });
  });
  return runs;
}

/** The parts of runs whose requests fulfil a condition. */
function partsOf(runs: ReturnType<typeof runsOf>, isIn: (call: Call) => boolean): ReturnType<typeof runsOf> {
  return runs.flatMap((run) => {
    const parts: Corner[][] = [[]];
    for (const corner of run)
      if (corner.call !== undefined && isIn(corner.call)) parts.at(-1)?.push(corner);
      else parts.push([]);
    return parts.filter(({ length }) => length > 0);
  });
}

function costsOf(
  calls: readonly Call[],
  columns: readonly Column[],
  left: (index: number) => number,
): Pick<Layout, 'costs' | 'highestCost'> {
  const sums = columns.map(({ from, to }) =>
    calls.slice(from, to).reduce((sum, { cost = 0 }) => sum + cost, 0),
  );
  const highestCost = Math.max(0, ...sums);
  const bars = columns.map(({ from, to }, index) => {
    const height = highestCost === 0 ? 0 : ((sums[index] ?? 0) / highestCost) * costHeight;
    const width = left(to) - left(from);
    const bar = Math.max(1, width - (width > 4 ? 1.5 : 0.5));
    return height === 0
      ? ''
      : `M${round(left(from))} ${round(costBottom - height)}h${round(bar)}V${costBottom}h${round(-bar)}z`;
  });
  return { costs: bars.join(''), highestCost };
}

/** Minimum distance between places of marks in pixels. */
const nearest = 18;
/** Minimum pixels from a mark to the end of the chart. With less, the name is before the mark. */
const leastAtEnd = 70;

function placed(marks: readonly MarkPoint[], range: Range, width: number): readonly PlacedMarks[] {
  const groups: { x: number; marks: MarkPoint[] }[] = [];
  for (const mark of marks.filter(({ atCall }) => atCall >= range.from && atCall <= range.to)) {
    const x = Math.min(width - 1, leftEdge(range, width)(mark.atCall));
    const last = groups.at(-1);
    // Names of two marks that share the space between them need twice as much.
    const least = width - x < leastAtEnd ? 2 * nearest : nearest;
    if (last !== undefined && x - last.x < least) last.marks.push(mark);
    else groups.push({ x, marks: [mark] });
  }
  return groups.map((group, index) => {
    const next = groups[index + 1]?.x;
    const isBefore = next === undefined && width - group.x < leastAtEnd;
    const isShared = index === groups.length - 2 && width - (next ?? 0) < leastAtEnd;
    const after = ((next ?? width) - group.x) / (isShared ? 2 : 1);
    const before = group.x - (groups[index - 1]?.x ?? -group.x);
    return { ...group, room: isBefore ? before / 2 : after, isBefore };
  });
}

/** The left edge of a request by its index, in pixels. */
function leftEdge({ from, to }: Range, width: number): (index: number) => number {
  return (index) => ((index - from) / Math.max(1, to - from)) * width;
}

function indicesOf(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index);
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
