/** A strategy to draw. */
export interface ScatterPoint {
  readonly key: string;
  readonly title: string;
  /** Tokens left. */
  readonly tokens: number;
  /** Share of the facts kept, from 0 to 1. */
  readonly share: number;
}

/** A point with its place in pixels, and a label if there is room for one. */
export interface PlacedPoint extends ScatterPoint {
  readonly x: number;
  readonly y: number;
  /** Number of other strategies with the same result, which are not drawn. */
  readonly others: readonly string[];
  readonly label?: PlacedLabel | undefined;
}

interface PlacedLabel {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

interface Tick {
  readonly at: number;
  readonly value: number;
}

/** Places in a picture of strategies by tokens and kept facts. */
interface Scatter {
  readonly points: readonly PlacedPoint[];
  /** Points of the line through the strategies that keep more than every smaller one. */
  readonly frontier: readonly (readonly [number, number])[];
  readonly tokens: readonly Tick[];
  readonly shares: readonly Tick[];
  /** Edges of the area with points. */
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const margin = { left: 46, right: 22, top: 26, bottom: 22 };
const lineHeight = 17;
/** Points nearer to each other than this are drawn as one. */
const samePlace = 6;
const radius = 6;
/** Room for the title of an axis. */
const titleWidth = 92;

/** Number of points with a label. More would hide each other, and the picture. */
const mostLabels = 6;

/** @param points the most important first: their labels are placed first */
export function scatterOf(points: readonly ScatterPoint[], width: number, height: number): Scatter {
  const [left, right, bottom] = [margin.left, width - margin.right, height - margin.bottom];
  const least = Math.min(1, ...points.map(({ share }) => share));
  const lowest = Math.max(0, Math.min(0.75, Math.floor(least * 4 - 0.25) / 4));
  const step = stepFor(
    Math.max(1, ...points.map(({ tokens }) => tokens)),
    Math.max(2, Math.min(5, width / 150)),
  );
  const most = Math.max(step, ...points.map(({ tokens }) => Math.ceil(tokens / step) * step));
  const x = (tokens: number) => left + (tokens / most) * (right - left);
  const y = (share: number) => bottom - ((share - lowest) / (1 - lowest)) * (bottom - margin.top);
  const placed: (ScatterPoint & { x: number; y: number; others: string[] })[] = [];
  for (const point of points) {
    const at = { x: x(point.tokens), y: y(point.share) };
    const same = placed.find((one) => Math.hypot(one.x - at.x, one.y - at.y) < samePlace);
    if (same === undefined) placed.push({ ...point, ...at, others: [] });
    else same.others.push(point.title);
  }
  const titles = [
    { left: 0, top: 0, right: titleWidth, bottom: lineHeight },
    { left: right - titleWidth, top: bottom - lineHeight - 4, right, bottom },
  ];
  const taken = [...titles, ...placed.map((point) => around(point, radius))];
  const area = { left, top: 0, right: width, bottom };
  return {
    points: placed.map((point, place) => {
      if (place >= mostLabels) return point;
      const text = point.others.length === 0 ? point.title : `${point.title} +${point.others.length}`;
      const found = placesFor(point, text).find(
        ({ box }) => isInside(box, area) && !taken.some((other) => overlaps(box, other)),
      );
      if (found !== undefined) taken.push(found.box);
      return { ...point, label: found?.label };
    }),
    frontier: frontierOf(placed),
    tokens: ticks(0, most, step).map((value) => ({ value, at: x(value) })),
    shares: ticks(lowest, 1, lowest < 0.5 ? 0.5 : 0.25).map((value) => ({ value, at: y(value) })),
    left,
    right,
    bottom,
  };
}

/** The smallest round step that reaches a number in a few steps. */
function stepFor(most: number, steps: number): number {
  const least = most / steps;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10);
}

/** Multiples of a step, from the first that is not below a number. */
function ticks(from: number, to: number, step: number): readonly number[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.round(to / step) - first + 1 }, (_, index) => (first + index) * step);
}

function frontierOf(points: readonly (ScatterPoint & Pick<PlacedPoint, 'x' | 'y'>)[]): Scatter['frontier'] {
  let most = -1;
  return points
    .toSorted((one, other) => one.tokens - other.tokens || other.share - one.share)
    .filter(({ share }) => {
      const isBetter = share > most;
      most = Math.max(most, share);
      return isBetter;
    })
    .map(({ x, y }) => [x, y]);
}

/** Places for a label, the best first. */
function placesFor({ x, y }: Pick<PlacedPoint, 'x' | 'y'>, text: string) {
  const width = widthOf(text);
  const gap = radius + 4;
  const place = (anchor: PlacedLabel['anchor'], labelX: number, middle: number) => {
    const left = labelX - { start: 0, middle: width / 2, end: width }[anchor];
    const box = { left, right: left + width, top: middle - lineHeight / 2, bottom: middle + lineHeight / 2 };
    return { box, label: { text, anchor, x: labelX, y: middle + lineHeight / 4 } };
  };
  const above = y - gap - lineHeight / 2 + 2;
  const below = y + gap + lineHeight / 2 - 2;
  return [
    place('start', x + gap, y),
    place('middle', x, above),
    place('middle', x, below),
    place('end', x - gap, y),
    place('start', x, above),
    place('start', x, below),
    place('end', x, above),
    place('end', x, below),
  ];
}

/** About the width of a text in pixels. Characters of East Asian scripts are twice as wide. */
function widthOf(text: string): number {
  return Array.from(text).reduce((sum, character) => sum + (character > '\u2e80' ? 13.5 : 7.4), 0);
}

function around({ x, y }: Pick<PlacedPoint, 'x' | 'y'>, by: number): Box {
  return { left: x - by, right: x + by, top: y - by, bottom: y + by };
}

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function isInside(box: Box, area: Box): boolean {
  return box.left >= area.left && box.right <= area.right && box.top >= area.top && box.bottom <= area.bottom;
}
