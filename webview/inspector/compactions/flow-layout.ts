import { sankey, sankeyJustify } from 'd3-sankey';
import { type Kind, kinds } from '../../../src/protocol/engine-terms.ts';
import type { FlowView, KindFlow } from '../../../src/protocol/inspector-compactions.ts';

/** A group of tokens before a compaction: a kind, what no file shows, small kinds together, or what was added. */
type Source = Kind | 'notInFile' | 'other' | 'added';
/** A way that tokens went. Kept tokens go by kind. */
export type Way = keyof KindFlow;

export interface FlowNode {
  readonly id: string;
  readonly source?: Source;
  readonly way?: Way;
  readonly tokens: number;
  /** Tokens that stand in place of the node's, if it was shortened or summarised. */
  readonly tokensAfter?: number;
  /** Top and bottom edge in pixels, and the middle of the label. */
  readonly y0: number;
  readonly y1: number;
  readonly labelY: number;
}

interface FlowBand {
  readonly source: Source;
  readonly way: Way;
  readonly tokens: number;
  /** The outline: an SVG path. */
  readonly path: string;
}

interface FlowLayout {
  readonly before: readonly FlowNode[];
  readonly after: readonly FlowNode[];
  readonly bands: readonly FlowBand[];
}

interface Size {
  /** Width between both columns, and height, in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Kinds with a smaller share of all tokens are drawn together. */
const smallShare = 0.03;
/** Least distance between the middles of two labels, in pixels. */
const lineHeight = 15;
export const nodeWidth = 6;

interface Stream {
  readonly source: Source;
  readonly way: Way;
  readonly tokens: number;
}

/** Places the kinds of a context on the left, what became of them on the right, and bands of their tokens between. */
export function layoutFlow(flow: FlowView, unseen: number, { width, height }: Size): FlowLayout {
  const streams = streamsOf(flow, unseen, Math.floor(height / lineHeight));
  const ends = (side: (stream: Stream) => string) => [...new Set(streams.map(side))];
  const [before, after] = [ends(startOf), ends(endOf).toSorted(byWay)];
  const { nodes, links } = sankey<{ id: string }, Stream>()
    .nodeId(({ id }) => id)
    .nodeAlign(sankeyJustify)
    .nodeWidth(nodeWidth)
    .nodePadding(3)
    .nodeSort(null)
    .linkSort(null)
    .iterations(0)
    .extent([
      [0, 1],
      [width, height - 1],
    ])({
    nodes: [...before, ...after].map((id) => ({ id })),
    links: streams.map((stream) => ({
      ...stream,
      source: startOf(stream),
      target: endOf(stream),
      value: stream.tokens,
      stream,
    })) as never,
  });
  const place = ({ id, value = 0, y0 = 0, y1 = 0 }: (typeof nodes)[number]) => ({
    id,
    tokens: Math.round(value),
    y0,
    y1: Math.max(y1, y0 + 1),
    labelY: (y0 + y1) / 2,
  });
  const [left, right] = [nodes.slice(0, before.length), nodes.slice(before.length)];
  return {
    before: spread(
      left.map((node) => ({ ...place(node), source: node.id.slice(1) as Source })),
      height,
    ),
    after: spread(
      right.map((node) => ({ ...place(node), ...meaningOf(node.id, flow) })),
      height,
    ),
    bands: links.map(({ y0 = 0, y1 = 0, width: thick = 0, ...link }) => {
      const { source, way, tokens } = (link as unknown as { readonly stream: Stream }).stream;
      return { source, way, tokens, path: bandPath(y0, y1, Math.max(1, thick) / 2, width) };
    }),
  };
}

/** The streams, with as many of the largest kinds apart as there is room for labels on both sides. */
function streamsOf(flow: FlowView, unseen: number, mostLabels: number): readonly Stream[] {
  for (let apart: number = kinds.length; ; apart--) {
    const streams = streamsWith(flow, unseen, apart);
    const labels = [startOf, endOf].map((side) => new Set(streams.map(side)).size);
    if (apart === 0 || Math.max(...labels) <= mostLabels) return streams;
  }
}

/** The streams. Small kinds, and those beyond a number of kinds, are joined. */
function streamsWith({ kinds: flows, after }: FlowView, unseen: number, apart: number): readonly Stream[] {
  const present = kinds.flatMap((kind) => {
    const flow = flows[kind];
    return flow === undefined ? [] : [{ kind, flow, total: sum(flow) }];
  });
  const all = present.reduce((total, one) => total + one.total, unseen);
  const large = new Set(
    present
      .filter(({ total }) => total >= all * smallShare)
      .toSorted((one, other) => other.total - one.total)
      .slice(0, apart)
      .map(({ kind }) => kind),
  );
  const small = present.filter(({ kind }) => !large.has(kind));
  // A group of one is that one.
  if (small.length === 1 && small[0] !== undefined) large.add(small[0].kind);
  const other: Record<Way, number> = { kept: 0, shortened: 0, summarised: 0, gone: 0 };
  for (const { kind, flow } of small) if (!large.has(kind)) for (const way of ways) other[way] += flow[way];
  const streams: Stream[] = [{ source: 'notInFile', way: 'kept', tokens: unseen }];
  for (const { kind, flow } of present)
    if (large.has(kind)) streams.push(...ways.map((way) => ({ source: kind, way, tokens: flow[way] })));
  streams.push(...ways.map((way) => ({ source: 'other', way, tokens: other[way] }) as const));
  streams.push({ source: 'added', way: 'kept', tokens: after.added });
  return streams.filter(({ tokens }) => tokens > 0);
}

const ways: readonly Way[] = ['kept', 'shortened', 'summarised', 'gone'];

function startOf({ source }: Stream): string {
  return `<${source}`;
}

/** Kept tokens end by kind, others by what happened to them. */
function endOf({ source, way }: Stream): string {
  return way === 'kept' ? `>${source}` : `=${way}`;
}

/** Kept kinds in the order of the left side, then the other ways. */
function byWay(one: string, other: string): number {
  const rank = (id: string) => (id.startsWith('>') ? 0 : ways.indexOf(id.slice(1) as Way));
  return rank(one) - rank(other);
}

function meaningOf(id: string, { after }: FlowView): Pick<FlowNode, 'source' | 'way' | 'tokensAfter'> {
  if (id.startsWith('>')) return { source: id.slice(1) as Source, way: 'kept' };
  const way = id.slice(1) as Way;
  return way === 'shortened' || way === 'summarised' ? { way, tokensAfter: after[way] } : { way };
}

/** Moves labels apart, from top to bottom and back, so that none covers another. */
function spread(nodes: readonly FlowNode[], height: number): readonly FlowNode[] {
  const middles = nodes.map(({ labelY }) => labelY);
  let least = lineHeight / 2;
  for (const [index, middle] of middles.entries()) {
    middles[index] = Math.max(middle, least);
    least = middles[index] + lineHeight;
  }
  let most = height - lineHeight / 2;
  for (let index = middles.length - 1; index >= 0; index--) {
    middles[index] = Math.min(middles[index] ?? 0, most);
    most = middles[index]! - lineHeight;
  }
  return nodes.map((node, index) => ({ ...node, labelY: middles[index] ?? node.labelY }));
}

function bandPath(left: number, right: number, half: number, width: number): string {
  const [start, end, middle] = [nodeWidth, width - nodeWidth, width / 2];
  return (
    `M${start},${left - half}C${middle},${left - half} ${middle},${right - half} ${end},${right - half}` +
    `V${right + half}C${middle},${right + half} ${middle},${left + half} ${start},${left + half}Z`
  );
}

function sum(flow: KindFlow): number {
  return ways.reduce((total, way) => total + flow[way], 0);
}
