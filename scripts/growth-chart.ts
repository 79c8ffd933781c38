/**
 * Draws `docs/growth.svg` from `out/bench/growth.json`: time and memory of the work on a session against its size, both
 * axes logarithmic. The colours suit light and dark pages.
 *
 * Usage: node scripts/growth-chart.ts, after npm run bench -- growth
 */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { growthOf, growthPoints, type Growth, type GrowthPoint } from './bench/growth.ts';
import type { Measure } from './bench/part.ts';
import { projectFolder } from './project.ts';
import { runMain } from './run-main.ts';

const width = 400;
const height = 300;
const margin = { left: 64, right: 72, top: 36, bottom: 44 };
/** Colours of Okabe and Ito, which people with colour blindness can tell apart. */
const colours = ['#0072b2', '#e69f00', '#009e73', '#d55e00', '#cc79a7', '#56b4e9', '#999999'];

interface Axis {
  readonly title: string;
  readonly valueOf: (point: GrowthPoint) => number;
  readonly labelOf: (value: number) => string;
}

const axes: readonly Axis[] = [
  {
    title: 'Time',
    valueOf: ({ time }) => time,
    labelOf: (value) =>
      value >= 1_000
        ? `${value / 1_000} s`
        : value >= 1
          ? `${value} ms`
          : `${Number((value * 1_000).toPrecision(1))} µs`,
  },
  {
    title: 'Memory of the result',
    valueOf: ({ memory }) => Math.max(memory, 1_000),
    labelOf: (value) => (value >= 1e6 ? `${value / 1e6} MB` : `${value / 1e3} kB`),
  },
];

/** A chart for each axis, side by side. */
export function chartOf(growth: readonly Growth[]): string {
  const panels = axes.map((axis, index) => panelOf(growth, axis, index * (width + 20))).join('\n');
  const total = axes.length * (width + 20) - 20;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${total} ${height}" role="img" aria-label="Time and memory against the size of a session">
<style>
text { font: 11px system-ui, sans-serif; fill: #57606a; }
.title { font-weight: 600; }
.grid { stroke: #8c959f; stroke-opacity: 0.3; }
@media (prefers-color-scheme: dark) { text { fill: #9da7b3; } }
</style>
${panels}
</svg>
`;
}

function panelOf(growth: readonly Growth[], axis: Axis, left: number): string {
  const points = growth.flatMap(({ points: own }) => own);
  const x = scaleOf(
    points.map(({ tokens }) => tokens),
    margin.left,
    width - margin.right,
  );
  const y = scaleOf(points.map(axis.valueOf), height - margin.bottom, margin.top);
  const columns = x.powers.map(
    (tokens) =>
      `<line class="grid" x1="${x.at(tokens)}" x2="${x.at(tokens)}" y1="${margin.top}" y2="${height - margin.bottom}"/>` +
      `<text x="${x.at(tokens)}" y="${height - margin.bottom + 16}" text-anchor="middle">${tokens >= 1e6 ? `${tokens / 1e6}M` : `${tokens / 1e3}k`}</text>`,
  );
  const rows = y.powers.map(
    (value) =>
      `<line class="grid" x1="${margin.left}" x2="${width - margin.right}" y1="${y.at(value)}" y2="${y.at(value)}"/>` +
      `<text x="${margin.left - 6}" y="${y.at(value) + 4}" text-anchor="end">${axis.labelOf(value)}</text>`,
  );
  const ends = spread(growth.map(({ points: own }) => y.at(axis.valueOf(own.at(-1)!))));
  const lines = growth.map(({ work, points: own }, index) => {
    const colour = colours[index % colours.length]!;
    const path = own.map((point) => `${x.at(point.tokens)},${y.at(axis.valueOf(point))}`).join(' ');
    return (
      `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      `<text x="${width - margin.right + 6}" y="${ends[index]! + 4}" style="fill: ${colour}">${work}</text>`
    );
  });
  const title = `<text class="title" x="${margin.left}" y="18">${axis.title}</text>`;
  const below = `<text x="${(margin.left + width - margin.right) / 2}" y="${height - 8}" text-anchor="middle">tokens of the session</text>`;
  return `<g transform="translate(${left} 0)">\n${[title, below, ...columns, ...rows, ...lines].join('\n')}\n</g>`;
}

/** A logarithmic scale over whole powers of ten. */
function scaleOf(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  const at = (value: number) =>
    Number((from + ((Math.log10(value) - low) / (high - low)) * (to - from)).toFixed(1));
  return { at, powers: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)) };
}

/** Moves labels apart that would stand on each other. */
function spread(positions: readonly number[], least = 12): readonly number[] {
  const sorted = positions.map((at, index) => ({ at, index })).toSorted((one, other) => one.at - other.at);
  const placed: number[] = [];
  let previous = -Infinity;
  for (const { at, index } of sorted) {
    previous = Math.max(at, previous + least);
    placed[index] = previous;
  }
  return placed;
}

if (process.argv[1] === import.meta.filename) {
  await runMain(async () => {
    const result = JSON.parse(await readFile(join(projectFolder, 'out', 'bench', 'growth.json'), 'utf8')) as {
      readonly measures: readonly Measure[];
    };
    await writeFile(
      join(projectFolder, 'docs', 'growth.svg'),
      chartOf(growthOf(growthPoints(result.measures))),
    );
  });
}
